//! Lines, blanks and widths.

use insta::assert_snapshot;

use super::formatted;

#[test]
fn every_form_has_one_spacing() {
    assert_snapshot!(formatted(
        "public   type\tA=Object{a:Map < Text,List<b . C ?> > ?{min_items : 1}optional as\"x\"  b :Int}\n\
         provider p{base_url:\"https://x\" auth:header( \"A\",settings . k , )headers:{\"X\":settings.k}}\n\
         subscriber s{on:[ a.B,c.D , ]within:30m}type E=Enum{a b as\"B\"c as 3 other_one as other as}\n\
         app x{}type B=Text type C = Text{ }"
    ), @r#"
public type A = Object { a: Map<Text, List<b.C?>>? { min_items: 1 } optional as "x"  b: Int }

provider p { base_url: "https://x"  auth: header("A", settings.k)  headers: { "X": settings.k } }

subscriber s { on: [a.B, c.D]  within: 30m }

type E = Enum { a  b as "B"  c as 3  other_one as other  as }

app x { }

type B = Text

type C = Text { }
"#);
}

#[test]
fn what_was_written_on_one_line_stays_while_it_fits() {
    assert_snapshot!(formatted(
        "type A = Object { a: Text { min_length: 1  max_length: 2 }  b: Int }\n\
         type B = Object { a: Text {\nmin_length: 1  max_length: 2 }  b: Int }\n\
         type C = Object { a: Text {}\n b: Int }\n\
         type LongerThanTheLine = Object { a_rather_long_field: Text  another_rather_long_field: Text  c: I }\n\
         type AsLongAsTheLine = Object { a_rather_long_field: Text  another_rather_long_fiel: Text  cd: Int }\n\
         subscriber s { on: [aaaaaaaaaaaaaaaa.Aaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb.Bbbbbbbbbbbbbbbbb, ccccccccccc.Cccc, ddd.D]\nuses: [a,\n b] }\n\
         provider p { auth: header(\n\"A\",\nsettings.k\n)  base_url: \"https://x\" settings: { \n } }"
    ), @r#"
type A = Object { a: Text { min_length: 1  max_length: 2 }  b: Int }

type B = Object {
    a: Text {
        min_length: 1
        max_length: 2
    }
    b: Int
}

type C = Object {
    a: Text { }
    b: Int
}

type LongerThanTheLine = Object { a_rather_long_field: Text  another_rather_long_field: Text  c: I }

type AsLongAsTheLine = Object { a_rather_long_field: Text  another_rather_long_fiel: Text  cd: Int }

subscriber s {
    on: [
        aaaaaaaaaaaaaaaa.Aaaaaaaaaaaaaaaaa,
        bbbbbbbbbbbbbbbb.Bbbbbbbbbbbbbbbbb,
        ccccccccccc.Cccc,
        ddd.D,
    ]
    uses: [
        a,
        b,
    ]
}

provider p {
    base_url: "https://x"
    settings: { }
    auth: header("A", settings.k)
}
"#);
}

#[test]
fn columns_are_counted_in_characters() {
    assert_snapshot!(formatted(
        "type A = Object { a_rather_long_field: Text as \"ééééééééééééééééééééééééééééé\"  d: Text  cd: Int12 }\n\
         type A = Object { a_rather_long_field: Text as \"ééééééééééééééééééééééééééééé\"  d: Text  cd: Int123 }\n"
    ), @r#"
type A = Object { a_rather_long_field: Text as "ééééééééééééééééééééééééééééé"  d: Text  cd: Int12 }

type A = Object {
    a_rather_long_field: Text as "ééééééééééééééééééééééééééééé"
    d: Text
    cd: Int123
}
"#);
}

#[test]
fn declarations_have_one_blank_line_between_them_and_entries_at_most_one() {
    assert_snapshot!(formatted(
        "\n\n\napp a { }\nstore m {\n\n\n engine: sqlite(\"x\")\n\n\n\n keep: 3d\n\n }\n\n\n\n\ntype A = Text\n\n\n"
    ), @r#"
app a { }

store m {
    engine: sqlite("x")

    keep: 3d
}

type A = Text
"#);
}

#[test]
fn lines_end_as_on_unix_and_the_last_one_too() {
    assert_eq!(
        formatted("\u{feff}app a { }\r\n\r\n// x \t\r\ntype A = Text"),
        "app a { }\n\n// x\ntype A = Text\n"
    );
    assert_eq!(formatted(" \r\n\t"), "");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("// x"), "// x\n");
}

#[test]
fn strings_and_numbers_stay_byte_for_byte() {
    let text = "store m { engine: sqlite(\"\\u{41}\\\\  \\\"//\t{ }\") keep: 0030d }\n";
    assert_eq!(formatted(text), "store m { engine: sqlite(\"\\u{41}\\\\  \\\"//\t{ }\")  keep: 0030d }\n");
    assert_eq!(
        formatted("type A = Int { min: -9_000 max: 1_0 }"),
        "type A = Int { min: -9_000  max: 1_0 }\n"
    );
}
