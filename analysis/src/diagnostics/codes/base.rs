//! Codes of files, of names, of the syntax, and of the blocks `app` and `store`.

use super::{Code, codes};

codes! {
    APP_DECLARATION_INVALID = "app.declaration_invalid";
    APP_KEY_DUPLICATE = "app.key_duplicate";
    APP_KEY_INVALID = "app.key_invalid";
    APP_VALUE_INVALID = "app.value_invalid";
    FILE_ENCODING_INVALID = "file.encoding_invalid";
    FILE_LINK_CYCLIC = "file.link_cyclic";
    FILE_NUL_INVALID = "file.nul_invalid";
    FILE_PROJECT_AMBIGUOUS = "file.project_ambiguous";
    FILE_PROJECT_MISSING = "file.project_missing";
    FILE_SURFACE_INVALID = "file.surface_invalid";
    FILE_TOO_LARGE = "file.too_large";
    FILE_UNREADABLE = "file.unreadable";
    NAME_CASE_INVALID = "name.case_invalid";
    NAME_DUPLICATE = "name.duplicate";
    PACKAGE_DECLARATION_INVALID = "package.declaration_invalid";
    STORE_KEY_DUPLICATE = "store.key_duplicate";
    STORE_KEY_INVALID = "store.key_invalid";
    STORE_KEY_MISSING = "store.key_missing";
    STORE_VALUE_INVALID = "store.value_invalid";
    SYNTAX_BRACE_UNCLOSED = "syntax.brace_unclosed";
    SYNTAX_BRACE_UNEXPECTED = "syntax.brace_unexpected";
    SYNTAX_CHARACTER_INVALID = "syntax.character_invalid";
    SYNTAX_COMMA_UNNEEDED = "syntax.comma_unneeded";
    SYNTAX_DOC_UNATTACHED = "syntax.doc_unattached";
    SYNTAX_ESCAPE_UNKNOWN = "syntax.escape_unknown";
    SYNTAX_EXPECTED = "syntax.expected";
    SYNTAX_INLINE_SHAPE = "syntax.inline_shape";
    SYNTAX_KEYWORD_UNKNOWN = "syntax.keyword_unknown";
    SYNTAX_NAME_QUOTED = "syntax.name_quoted";
    SYNTAX_NESTED_TOO_DEEP = "syntax.nested_too_deep";
    SYNTAX_NUMBER_INVALID = "syntax.number_invalid";
    SYNTAX_PUBLIC_MISPLACED = "syntax.public_misplaced";
    SYNTAX_STRING_UNCLOSED = "syntax.string_unclosed";
    SYNTAX_TYPE_MISSING = "syntax.type_missing";
    TYPE_NAME_RESERVED = "type.name_reserved";
}
