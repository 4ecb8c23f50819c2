//! `textDocument/codeAction`: the repairs of the diagnostics that the cursor touches.

use std::collections::HashMap;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::{Diagnostic, Fix};
use tower_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, DocumentChanges,
    OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Url, WorkspaceEdit,
};

use crate::report::View;
use crate::state::Reading;

/// The repairs at the range that was asked for, a tool's own first. `None` when the snapshot is old.
pub fn answer(reading: &Reading, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let mut actions = Vec::new();
    if !wanted(params.context.only.as_deref()) {
        return Some(actions);
    }
    let Some(path) = &reading.path else { return Some(actions) };
    for workspace in &reading.workspaces {
        let Some(file) = workspace.path_of(path) else { continue };
        let found = workspace.attempt(|workspace| in_project(reading, workspace, file, params))?;
        for action in found {
            // Two projects that share a package find the same there.
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
    }
    Some(actions)
}

/// Whether repairs are among the kinds that were asked for: a kind stands for those beneath it too.
fn wanted(only: Option<&[CodeActionKind]>) -> bool {
    only.is_none_or(|kinds| {
        kinds.iter().any(|kind| *kind == CodeActionKind::EMPTY || *kind == CodeActionKind::QUICKFIX)
    })
}

fn in_project(
    reading: &Reading,
    workspace: &Workspace,
    file: &str,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let report = workspace.check();
    let texts = View::texts(workspace, &report.diagnostics);
    let view = View::new(workspace, &reading.open, reading.encoding, &texts);
    let Some(asked) = view.span(file, params.range) else { return Vec::new() };
    let touched = report.diagnostics.iter().filter(|diagnostic| {
        let span = diagnostic.range.span();
        diagnostic.file == file && span.start <= asked.end && asked.start <= span.end
    });
    let fixes = touched.flat_map(|diagnostic| diagnostic.fixes.iter().map(move |fix| (diagnostic, fix)));
    fixes.map(|(diagnostic, fix)| action(reading, &view, diagnostic, fix)).collect()
}

fn action(reading: &Reading, view: &View<'_>, diagnostic: &Diagnostic, fix: &Fix) -> CodeActionOrCommand {
    CodeActionOrCommand::CodeAction(CodeAction {
        title: fix.title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![view.diagnostic(diagnostic)]),
        edit: Some(edit(reading, view, fix)),
        is_preferred: fix.safe.then_some(true),
        ..CodeAction::default()
    })
}

fn edit(reading: &Reading, view: &View<'_>, fix: &Fix) -> WorkspaceEdit {
    let mut by_document: Vec<(Url, Option<i32>, Vec<TextEdit>)> = Vec::new();
    for edit in &fix.edits {
        let Some((uri, version)) = view.addresses(&edit.file).into_iter().next() else { continue };
        let edit = TextEdit { range: view.range(&edit.file, edit.range), new_text: edit.text.clone() };
        match by_document.iter_mut().find(|(known, ..)| *known == uri) {
            Some((.., edits)) => edits.push(edit),
            None => by_document.push((uri, version, vec![edit])),
        }
    }
    if !reading.versioned_edits {
        let changes: HashMap<_, _> = by_document.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
        return WorkspaceEdit::new(changes);
    }
    let edits = by_document.into_iter().map(|(uri, version, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    let document_changes = Some(DocumentChanges::Edits(edits.collect()));
    WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
}
