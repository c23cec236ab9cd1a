// What a click in the chat opens. The chat shows what a model wrote, so a link
// opens only what it says it opens: a web page, after the editor's own
// question, or a file of the session.
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { unlinked } from '../attention/unlinked';
import { parseFileLink } from './links';

/** Opens a file at a line; a path that is not absolute is below folder. */
export async function openFile(folder: string, path: string, line?: number): Promise<void> {
  const uri = vscode.Uri.file(isAbsolute(path) ? path : join(folder, path));
  try {
    const at = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
    const { type } = await vscode.workspace.fs.stat(uri);
    if (type & vscode.FileType.Directory) {
      await vscode.commands.executeCommand('revealInExplorer', uri);
    } else if (at) {
      await vscode.window.showTextDocument(uri, { selection: at, preview: true });
    } else {
      await vscode.commands.executeCommand('vscode.open', uri);
    }
  } catch (error) {
    void vscode.window.showWarningMessage(`${unlinked(path)} cannot be opened: ${unlinked(error)}`);
  }
}

/** Opens the target of a link in a reply. */
export async function openLink(folder: string, href: string): Promise<void> {
  if (/^(https?|mailto):/i.test(href)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  const target = parseFileLink(href);
  if (target) {
    await openFile(folder, target.path, target.line);
  }
}

/** What the buttons of a code block do. */
export async function codeAction(action: 'copy' | 'insert' | 'create', text: string, language: string): Promise<void> {
  if (action === 'copy') {
    await vscode.env.clipboard.writeText(text);
    return;
  }
  if (action === 'create') {
    const known = await vscode.languages.getLanguages();
    const document = await vscode.workspace.openTextDocument({ content: text, language: known.includes(language) ? language : undefined });
    await vscode.window.showTextDocument(document);
    return;
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void vscode.window.showInformationMessage('No editor is open to insert the code into.');
    return;
  }
  await editor.edit((edit) => editor.selections.forEach((s) => edit.replace(s, text)));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}
