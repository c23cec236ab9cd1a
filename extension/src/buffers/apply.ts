// Puts an approved text into an unsaved document, as one step of its undo.
import * as vscode from 'vscode';
import type { BufferEdit, BufferResult } from '../protocol';
import { plain } from '../review/lines';

/** Answers `buffer/apply`: only the version that the text was made from is changed. */
export async function applyBuffer(edit: BufferEdit): Promise<BufferResult> {
  const uri = vscode.Uri.parse(edit.uri, true);
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (!document || document.version !== edit.baseVersion) {
    return { applied: false, version: document?.version ?? 0 };
  }
  const { range, text } = smallest(document, edit.text);
  const change = new vscode.WorkspaceEdit();
  change.replace(uri, range, text);
  const applied = await vscode.workspace.applyEdit(change);
  return { applied: applied && plain(document.getText()) === plain(edit.text), version: document.version };
}

/** The part that differs: cursors and marks elsewhere stay where they are. */
function smallest(document: vscode.TextDocument, wanted: string): { range: vscode.Range; text: string } {
  const crlf = document.eol === vscode.EndOfLine.CRLF;
  const now = document.getText();
  const next = crlf ? plain(wanted).replace(/\n/g, '\r\n') : plain(wanted);
  let head = 0;
  while (head < now.length && head < next.length && now[head] === next[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < now.length - head && tail < next.length - head && now[now.length - 1 - tail] === next[next.length - 1 - tail]) {
    tail += 1;
  }
  // Not inside a line end or a surrogate pair.
  head = now.lastIndexOf('\n', head - 1) + 1;
  const end = now.length - tail;
  const lineEnd = now.indexOf('\n', end);
  const stop = lineEnd < 0 ? now.length : lineEnd + 1;
  return {
    range: new vscode.Range(document.positionAt(head), document.positionAt(stop)),
    text: next.slice(head, next.length - (now.length - stop)),
  };
}
