//! A comment in every gap.

use insta::assert_snapshot;

use super::formatted;

#[test]
fn comments_between_declarations() {
    assert_snapshot!(formatted(
        "// of the file

// of a
app a { } // at a
          // goes on
// under a

/// doc of B

type B = Text
// of C
type C = Text
// at the end


// really"
    ), @"
// of the file

// of a
app a { }  // at a
           // goes on
// under a

/// doc of B
type B = Text

// of C
type C = Text
// at the end

// really
");
}

#[test]
fn comments_inside_a_declaration() {
    assert_snapshot!(formatted(
        "public // 1
type // 2
// 3
A // 4
= // 5
Object // 6
{ // 7
// 8
a // 9
: // 10
List // 11
< // 12
Text // 13
> // 14
? // 15
{ // 16
min_items // 17
: // 18
1 // 19
} // 20
optional // 21
as // 22
\"x\" // 23
// 24
} // 25
// 26"
    ), @r#"
public  // 1
    type  // 2
    // 3
    A  // 4
    =  // 5
    Object  // 6
    {  // 7
        // 8
        a  // 9
            :  // 10
            List  // 11
            <  // 12
            Text  // 13
            >  // 14
            ?  // 15
            {  // 16
                min_items  // 17
                    :  // 18
                    1  // 19
            }  // 20
            optional  // 21
            as  // 22
            "x"  // 23
        // 24
    }  // 25
// 26
"#);
}

#[test]
fn comments_in_lists_and_calls() {
    assert_snapshot!(formatted(
        "store s { engine: // 0
sqlite // 1
( // 2
// 3
\"x\" // 4
// 5
, // 6
// 7
) // 8
keep: 3d }
subscriber s { on: [ // 1
// 2
a // 3
. // 4
B // 5
, // 6
   // 7
// 8

// 9
c.D, // 10
// 11
]}
"
    ), @r#"
store s {
    engine:  // 0
        sqlite  // 1
        (  // 2
            // 3
            "x",  // 4
            // 5
            // 6
            // 7
        )  // 8
    keep: 3d
}

subscriber s {
    on: [  // 1
        // 2
        a  // 3
            .  // 4
            B,  // 5
                // 6
        // 7
        // 8

        // 9
        c.D,  // 10
        // 11
    ]
}
"#);
}

#[test]
fn comments_in_empty_braces() {
    assert_snapshot!(formatted(
        "app a { // 1
}
app b {
// 1


// 2

}
app c { packages: [
// 3
] }
type D = Enum {
}"
    ), @"
app a {  // 1
}

app b {
    // 1

    // 2
}

app c {
    packages: [
        // 3
    ]
}

type D = Enum { }
");
}

#[test]
fn a_comment_in_the_column_of_the_one_at_the_end_of_the_line_goes_on_with_it() {
    assert_snapshot!(formatted(
        "type A = Object {
  a: Text // one
          // two
          // three
  bb: Text // four
         // not five
  c: Text   // é

            // not six
  d: Text }"
    ), @"
type A = Object {
    a: Text  // one
             // two
             // three
    bb: Text  // four
    // not five
    c: Text  // é

    // not six
    d: Text
}
");
}
