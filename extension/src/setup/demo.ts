// The offline demo: a scripted model works on a sample project of its own.
import * as vscode from 'vscode';

/** What the script of the demo is asked. */
export const demoPrompt = '100 split among 3 comes to 99. Find out why, and mend it.';

/** Makes a fresh copy of the sample project and gives its folder. */
export async function copySample(context: vscode.ExtensionContext): Promise<string> {
  const target = vscode.Uri.joinPath(context.globalStorageUri, 'demo', 'split');
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(context.globalStorageUri, 'demo'));
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(context.extensionUri, 'dist', 'sample'), target, { overwrite: true });
  return target.fsPath;
}
