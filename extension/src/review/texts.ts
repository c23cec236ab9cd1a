// The old and the new text of a change. The daemon leaves them out above 1 MiB;
// then the old one is what the editor has, and the new one is made from the hunks.
import * as vscode from 'vscode';
import type { Change } from '../protocol';
import { applyHunks } from './hunks';

/** Both texts of a change. */
export async function textsOf(change: Change): Promise<{ base: string; proposed: string }> {
  const base = change.oldText ?? (change.op === 'create' ? '' : (await vscode.workspace.openTextDocument(vscode.Uri.parse(change.uri, true))).getText());
  return { base, proposed: change.newText ?? applyHunks(base, change) };
}
