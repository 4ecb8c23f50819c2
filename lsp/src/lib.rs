//! lsp.
