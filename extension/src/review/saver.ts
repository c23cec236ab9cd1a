// Saves the proposed texts into their own file system with every key that is
// typed: so the editor never asks about unsaved changes in a review, and there is
// nothing left for auto save, which would let everything that formats on save get
// at the text.
import * as vscode from 'vscode';
import { reviewScheme } from './filesystem';
import type { Reviews } from './reviews';

/** Follows the texts of the reviews and the real files beside them. */
export function followReviews(reviews: Reviews): vscode.Disposable {
  let wanted = false;
  let saving = false;
  // Whether a document is dirty is not asked: after a save the extension is told that it
  // is not, even if more was typed meanwhile.
  const save = async (): Promise<void> => {
    if (saving) {
      return;
    }
    saving = true;
    try {
      while (wanted && vscode.window.activeTextEditor?.document.uri.scheme === reviewScheme) { // the command saves no other
        wanted = false;
        await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
      }
    } finally {
      saving = false;
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.scheme === reviewScheme && contentChanges.length > 0) {
        reviews.touch();
        wanted = true;
        void save();
      } else if (document.uri.scheme === 'file') {
        void reviews.checkDrift(document.uri);
      }
    }),
    vscode.window.onDidChangeActiveTextEditor(() => void save()), // what was changed before it was shown
  );
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
