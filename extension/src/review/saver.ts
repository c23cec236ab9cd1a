// Saves the proposed texts into their own file system with every key that is
// typed: so the editor never asks about unsaved changes in a review, and there is
// nothing left for auto save, which would let everything that formats on save get
// at the text.
import * as vscode from 'vscode';
import { reviewScheme } from './filesystem';
import type { Reviews } from './reviews';

/** Follows the texts of the reviews and the real files beside them. */
export function followReviews(reviews: Reviews): vscode.Disposable {
  let saving = false;
  const save = async (): Promise<void> => {
    if (saving) {
      return; // that save looks once more when it is done
    }
    saving = true;
    try {
      for (let doc = dirtyReview(); doc; doc = dirtyReview()) {
        const { version } = doc;
        await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
        if (doc.isDirty && doc.version === version) {
          return; // it cannot be saved: its text is taken from the document all the same
        }
      }
    } finally {
      saving = false;
    }
  };
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (document.uri.scheme === reviewScheme) {
      if (contentChanges.length > 0) {
        reviews.touch();
      }
      void save(); // that it is dirty is told by an event of its own, without changes
    } else if (document.uri.scheme === 'file') {
      void reviews.checkDrift(document.uri);
    }
  });
}

/** The proposed text in the active editor, if it is not saved; the command saves no other. */
function dirtyReview(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === reviewScheme && document.isDirty ? document : undefined;
}

/** Closes the diffs that an earlier window left behind: their questions are gone. */
export async function closeStaleReviews(): Promise<void> {
  const stale = vscode.window.tabGroups.all.flatMap((g) => g.tabs).filter((t) => {
    const input: unknown = t.input;
    return (input instanceof vscode.TabInputTextDiff && input.modified.scheme === reviewScheme) || (input instanceof vscode.TabInputText && input.uri.scheme === reviewScheme);
  });
  if (stale.length > 0) {
    await vscode.window.tabGroups.close(stale, true);
  }
}
