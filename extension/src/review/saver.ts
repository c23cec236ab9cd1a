// Saves the proposed texts into their own file system while the person types,
// so that the editor never asks about unsaved changes in a review, and so that
// nothing that formats on save gets at them.
import * as vscode from 'vscode';
import { reviewScheme } from './filesystem';
import type { Reviews } from './reviews';

const delayMs = 250;

/** Follows the texts of the reviews and the real files beside them. */
export function followReviews(reviews: Reviews): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme === reviewScheme && document.isDirty) {
      void vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.scheme === reviewScheme) {
        if (contentChanges.length > 0) {
          reviews.touch();
          clearTimeout(timer);
          timer = setTimeout(save, delayMs);
        }
      } else if (document.uri.scheme === 'file') {
        void reviews.checkDrift(document.uri);
      }
    }),
    new vscode.Disposable(() => clearTimeout(timer)),
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
