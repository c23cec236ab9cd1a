// The folders that a session works in.
import * as vscode from 'vscode';

/** The first folder of the window, and the others beside it. */
export interface Folders {
  cwd: string;
  roots: string[];
}

/**
 * The folders of the workspace; the one that the active editor is in comes
 * first. Undefined when no folder of the daemon's machine is open.
 */
export function workspaceFolders(): Folders | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file');
  const active = vscode.window.activeTextEditor?.document.uri;
  const home = active && vscode.workspace.getWorkspaceFolder(active);
  const first = folders.find((f) => f === home) ?? folders[0];
  if (!first) {
    return undefined;
  }
  return { cwd: first.uri.fsPath, roots: folders.filter((f) => f !== first).map((f) => f.uri.fsPath) };
}

/** A path for the person: relative to its folder where it is in one. */
export function shownPath(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
}

/** The paths of the folders of the window. */
export function workspacePaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file').map((f) => f.uri.fsPath);
}
