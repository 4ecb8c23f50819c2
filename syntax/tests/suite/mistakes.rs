//! Mistakes as they are made by hand: each gives one problem, and keeps the declarations around it.

use insta::assert_snapshot;

use crate::check::{checked, problems, without_spans};

const BEFORE: &str = "/// One.\ntype First = Object { a: Int }\n\n";
const AFTER: &str =
    "\n\n/// Two.\nprovider second { base_url: \"x\" }\n\npublic type Third = Enum { a  b as \"B\" }\n";

/// The one problem of `broken`, which stands between three good declarations.
fn one(broken: &str) -> String {
    let text = format!("{BEFORE}{broken}{AFTER}");
    let good = checked(&format!("{BEFORE}{AFTER}"));
    let file = checked(&text);
    let found: Vec<String> = file.declarations.iter().map(|(_, tree)| without_spans(tree)).collect();
    for (_, tree) in &good.declarations {
        assert!(found.contains(&without_spans(tree)), "{:?} is lost beside {broken}", tree.name);
    }
    let said = problems(&text);
    assert_eq!(file.problems.len(), 1, "{broken}\n{said}");
    let named = file.declarations.iter().filter_map(|(_, tree)| tree.name.as_ref());
    let names: Vec<&str> =
        named.map(|name| &*name.text).filter(|name| !["First", "second", "Third"].contains(name)).collect();
    format!("{}{}", said, names.join(" "))
}

#[test]
fn braces() {
    assert_snapshot!(one("operation x {\n    method: GET\n"), @r#"
    brace_unclosed "{": the `{` of `x` is never closed
    x
    "#);
    assert_snapshot!(one("provider x {\n    settings: {\n        key: Secret\n    auth: none\n    retry: { attempts: 3 }\n}"), @r#"
    brace_unclosed "{": the `{` of `settings` is never closed
    x
    "#);
    assert_snapshot!(one("type X = Enum { buy  sell"), @r#"
    brace_unclosed "{": the `{` of `X` is never closed
    X
    "#);
    assert_snapshot!(one("type X = Object { a: Int } }"), @r#"
    brace_unexpected "}": this `}` closes nothing -> ""
    X
    "#);
    assert_snapshot!(one("operation x { query: { a: b } }\n    output: Prices\n}"), @r#"
    brace_unexpected "}": this `}` closes nothing -> ""
    x
    "#);
    assert_snapshot!(one("operation x\n    method: GET\n    path: \"/\"\n}"), @r#"
    expected "method": expected `{`, found `method`
    x
    "#);
    assert_snapshot!(one("type X = Object\n    a: Int\n    b: Int\n}"), @r#"
    expected "a": expected `{`, found `a`
    X
    "#);
    assert_snapshot!(one("provider x { retry attempts: 3 } timeout: 5s }"), @r#"
    expected "retry": expected a key or `}`, found `retry`
    x
    "#);
}

#[test]
fn entries() {
    assert_snapshot!(one("operation x { method GET  path: \"/\" }"), @r#"
    expected "GET": expected `:`, found `GET` -> ":"
    x
    "#);
    assert_snapshot!(one("operation x { method = GET  path: \"/\" }"), @r#"
    expected "=": expected `:`, found `=` -> ":"
    x
    "#);
    assert_snapshot!(one("operation x { : \"/\"  output: A }"), @r#"
    expected ":": expected a key or `}`, found `:`
    x
    "#);
    assert_snapshot!(one("operation x { method: : GET  path: \"/\" }"), @r#"
    expected ":": expected a value, found `:`
    x
    "#);
    assert_snapshot!(one("operation x { method: GET garbage path: \"/\" }"), @r#"
    expected "garbage": expected a key or `}`, found `garbage`
    x
    "#);
    assert_snapshot!(one("operation x { method: GET \"/\" output: A }"), @r#"
    expected "\"/\"": expected a key or `}`, found `"/"`
    x
    "#);
    assert_snapshot!(one("provider x { auth: header(\"a\", b  timeout: 5s }"), @r#"
    expected "timeout": expected `,` or `)`, found `timeout`
    x
    "#);
    assert_snapshot!(one("subscriber x { uses: [a, b  within: 5s }"), @r#"
    expected "within": expected `,` or `]`, found `within`
    x
    "#);
    assert_snapshot!(one("subscriber x { uses: [a b, c]  within: 5s }"), @r#"
    expected "b": expected `,` or `]`, found `b`
    x
    "#);
    assert_snapshot!(one("subscriber x { uses: [a,, c]  within: 5s }"), @r#"
    expected ",": expected a value, found `,`
    x
    "#);
    assert_snapshot!(one("subscriber x { on: coinfeed.  within: 5s }"), @r#"
    expected "within": expected a name, found `within`
    x
    "#);
    assert_snapshot!(one("provider x { auth: a.b(\"c\")  timeout: 5s }"), @r#"
    expected "(\"c\")": only a single name takes arguments
    x
    "#);
    assert_snapshot!(one("provider x { base_url: \"https://y  timeout: 5s }"), @r#"
    string_unclosed "\"https://y  timeout: 5s }": this string isn't closed before its line ends
    x
    "#);
    assert_snapshot!(one("provider x {\n    auth: header(\"a, b)\n    timeout: 5s\n}"), @r#"
    string_unclosed "\"a, b)": this string isn't closed before its line ends
    x
    "#);
}

#[test]
fn fields() {
    assert_snapshot!(one("type X = Object { a:  b: Int }"), @r#"
    type_missing "a": `a` has no type
    X
    "#);
    assert_snapshot!(one("type X = Object { a Int  b: Int }"), @r#"
    expected "Int": expected `:`, found `Int` -> ":"
    X
    "#);
    assert_snapshot!(one("type X = Object { a: Int: { min: 1 }  b: Int }"), @r#"
    type_missing "a": `a` has no type
    X
    "#);
    assert_snapshot!(one("type X = Object { a?: Int  b: Int }"), @r#"
    expected "?:": expected `:`, found `?:` -> ":"
    X
    "#);
    assert_snapshot!(one("type X = Object { a: optional  b: Int }"), @r#"
    type_missing "a": `a` has no type
    X
    "#);
    assert_snapshot!(one("type X = Object { a: Int as b: Int }"), @r#"
    expected "b": expected a string, found `b`
    X
    "#);
    assert_snapshot!(one("type X = Object { a: Int as wire  b: Int }"), @r#"
    expected "wire": expected a string, found `wire`
    X
    "#);
    assert_snapshot!(one("type X = Object { a: List<Int  b: Int }"), @r#"
    expected "b": expected `,` or `>`, found `b`
    X
    "#);
    assert_snapshot!(one("type X = Object { a: List<>  b: Int }"), @r#"
    expected ">": expected a type, found `>`
    X
    "#);
    assert_snapshot!(one("type X = Object { a: \"Int\"  b: Int }"), @r#"
    expected "\"Int\"": expected a type, found `"Int"`
    X
    "#);
    assert_snapshot!(one("type X = Object { a: Int?? optional  b: Int }"), @r#"
    expected "?": expected a field or `}`, found `?`
    X
    "#);
    assert_snapshot!(one("type X = Object { a: { min: 1 }  b: Int }"), @r#"
    type_missing "a": `a` has no type
    X
    "#);
    assert_snapshot!(one("type X = Objet { a: Int optional\n b: Int as \"c\"\n }"), @r#"
    expected "optional": expected a key or `}`, found `optional`
    X
    "#);
}

#[test]
fn variants() {
    assert_snapshot!(one("type X = Enum { buy = \"BUY\"  sell }"), @r#"
    expected "=": expected `as`, found `=` -> "as"
    X
    "#);
    assert_snapshot!(one("type X = Enum { buy: \"BUY\"  sell }"), @r#"
    expected ":": expected `as`, found `:` -> " as"
    X
    "#);
    assert_snapshot!(one("type X = Enum { buy  1  sell }"), @r#"
    expected "1": expected a variant or `}`, found `1`
    X
    "#);
    assert_snapshot!(one("type X = Enum { buy | sell }"), @r#"
    character_invalid "|": `|` is no part of the language
    X
    "#);
    assert_snapshot!(one("type X = Enum { buy-now  sell }"), @r#"
    character_invalid "-": `-` can't stand in the name `buy-now`
    X
    "#);
}

#[test]
fn words_of_a_head_in_another_order() {
    assert_snapshot!(one("type public X = Text"), @r#"
    public_misplaced "public": `public` stands after `type` -> "public type"
    X
    "#);
    assert_snapshot!(one("store public x { }"), @r#"
    public_misplaced "public": `public` stands after `store` -> ""
    x
    "#);
    assert_snapshot!(one("operation operation x { method: GET }"), @r#"
    expected "operation": `operation` stands twice before its name -> ""
    x
    "#);
    assert_snapshot!(one("X type = Text"), @r#"
    expected "X": `X` stands before `type`, and a name follows its keyword -> "type X"
    X
    "#);
    assert_snapshot!(one("pubilc type X = Text"), @r#"
    keyword_unknown "pubilc": `pubilc` begins no declaration -> "public"
    X
    "#);
    assert_snapshot!(one("enum X { buy  sell }"), @r#"keyword_unknown "enum": `enum` begins no declaration -> "type X = Enum""#);
    assert_snapshot!(one("x { method: GET }"), @r#"keyword_unknown "x": `x` begins no declaration"#);
}

#[test]
fn heads() {
    assert_snapshot!(one("operaton x { method: GET }"), @r#"
    keyword_unknown "operaton": `operaton` begins no declaration -> "operation"
    x
    "#);
    assert_snapshot!(one("tpye X = Text"), @r#"
    keyword_unknown "tpye": `tpye` begins no declaration -> "type"
    X
    "#);
    assert_snapshot!(one("struct X = Object { a: Int }"), @r#"
    keyword_unknown "struct": `struct` begins no declaration
    X
    "#);
    assert_snapshot!(one("interface x { a: b }"), @r#"keyword_unknown "interface": `interface` begins no declaration"#);
    assert_snapshot!(one("X = Object { a: Int }"), @r#"
    expected "X": expected `type` before `X` -> "type "
    X
    "#);
    assert_snapshot!(one("operation { method: GET }"), @r#"expected "{": expected a name, found `{`"#);
    assert_snapshot!(one("operation x y { method: GET }"), @r#"
    expected "y": expected `{`, found `y`
    x
    "#);
    assert_snapshot!(one("operation \"x\" { method: GET }"), @r#"expected "\"x\"": expected a name, found `"x"`"#);
    assert_snapshot!(one("operation"), @r#"expected "": expected a name, found the end of the declaration"#);
    assert_snapshot!(one("operation x"), @r#"
    expected "": expected `{`, found the end of the declaration
    x
    "#);
    assert_snapshot!(one("public"), @r#"expected "public": `public` stands before no declaration"#);
    assert_snapshot!(one("type X"), @r#"
    expected "": expected `=`, found the end of the declaration
    X
    "#);
    assert_snapshot!(one("type X ="), @r#"
    expected "": expected a type, found the end of the declaration
    X
    "#);
    assert_snapshot!(one("type X Object { a: Int }"), @r#"
    expected "Object": expected `=`, found `Object` -> " ="
    X
    "#);
    assert_snapshot!(one("type X: Object { a: Int }"), @r#"
    expected ":": expected `=`, found `:` -> " ="
    X
    "#);
    assert_snapshot!(one("type X { a: Int }"), @r#"
    expected "{": expected `=`, found `{`
    X
    "#);
    assert_snapshot!(one("type X<T> = List<T>"), @r#"
    expected "<": expected `=`, found `<`
    X
    "#);
    assert_snapshot!(one("type = Object { a: Int }"), @r#"expected "=": expected a name, found `=`"#);
    assert_snapshot!(one("type X = \"a\""), @r#"
    expected "\"a\"": expected a type, found `"a"`
    X
    "#);
    assert_snapshot!(one("type X = Text garbage"), @r#"
    expected "garbage": expected a declaration, found `garbage`
    X
    "#);
    assert_snapshot!(one("garbage"), @r#"expected "garbage": expected a declaration, found `garbage`"#);
    assert_snapshot!(one("}"), @r#"brace_unexpected "}": this `}` closes nothing -> """#);
}

#[test]
fn a_broken_entry_keeps_its_neighbours() {
    for (broken, kept) in [
        ("provider x { a: 1  b 2  c: 3 }", ["a", "b", "c"]),
        ("provider x { a: 1  b: [  c: 3 }", ["a", "b", "c"]),
        ("provider x { a: 1  b: )  c: 3 }", ["a", "b", "c"]),
        ("provider x { a: 1  b: f(  c: 3 }", ["a", "b", "c"]),
        ("provider x { a: 1  b: { d: [ }  c: 3 }", ["a", "b", "c"]),
        ("type X = Object { a: Int  b: Map<Text, c: Int }", ["a", "b", "c"]),
        ("type X = Object { a: Int  b: 3  c: Int }", ["a", "b", "c"]),
        ("type X = Object { a: Int  b  c: Int }", ["a", "c", "X"]),
        ("type X = Enum { a  ( b  c }", ["a", "b", "c"]),
        ("type X = Event { wire_name: 3  a: Int  c: Int }", ["a", "c", "X"]),
    ] {
        let file = checked(broken);
        assert_eq!(file.problems.len(), 1, "{broken}: {:?}", file.problems);
        let tree = without_spans(&file.declarations[0].1);
        for name in kept {
            assert!(tree.contains(&format!("text: \"{name}\"")), "{name} of {broken} is lost: {tree}");
        }
    }
}
