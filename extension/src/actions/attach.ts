// The menu of what can be attached to a message.
import * as vscode from 'vscode';
import { fileAttachment, imageAttachment, problemAttachment, selectionAttachment, type Attachments } from '../chat/attachments';
import { shownPath } from '../session/folders';

const imageTypes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };

interface Choice extends vscode.QuickPickItem {
  run: () => Promise<void> | void;
}

/** Shows the menu and attaches what is chosen. */
export async function attachMenu(attachments: Attachments): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const choices: Choice[] = [];
  if (editor && !editor.selection.isEmpty) {
    choices.push({ label: '$(selection) Selection', description: shownPath(editor.document.uri), run: () => attachments.add(selectionAttachment(editor.document, editor.selection)) });
  }
  const files = vscode.window.tabGroups.all.flatMap((g) => g.tabs)
    .map((t): unknown => t.input)
    .filter((input): input is vscode.TabInputText => input instanceof vscode.TabInputText && input.uri.scheme === 'file');
  for (const { uri } of files.slice(0, 5)) {
    choices.push({ label: `$(file) ${shownPath(uri)}`, description: 'open file', run: () => attachments.add(fileAttachment(uri)) });
  }
  choices.push(
    { label: '$(warning) Problems…', description: 'from the Problems view', run: () => pickProblems(attachments) },
    { label: '$(folder-opened) Files…', run: () => pickFiles(attachments) },
    { label: '$(file-media) Image…', run: () => pickImage(attachments) },
  );
  const picked = await vscode.window.showQuickPick(choices, { title: 'Attach to the message', placeHolder: 'Or type @ in the message to name a file' });
  await picked?.run();
}

async function pickProblems(attachments: Attachments): Promise<void> {
  const problems = vscode.languages.getDiagnostics().flatMap(([uri, list]) => list.map((d) => ({ uri, d })));
  const picked = await vscode.window.showQuickPick(
    problems.map(({ uri, d }) => ({ label: d.message.split('\n')[0] ?? '', description: `${shownPath(uri)}:${d.range.start.line + 1}`, uri, d })),
    { title: 'Attach problems', canPickMany: true, placeHolder: problems.length > 0 ? 'Choose the problems' : 'There are no problems', matchOnDescription: true },
  );
  attachments.add(...(picked ?? []).map(({ uri, d }) => problemAttachment(uri, d)));
}

async function pickFiles(attachments: Attachments): Promise<void> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Attach', defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri });
  attachments.add(...(uris ?? []).filter((u) => u.scheme === 'file').map((u) => fileAttachment(u)));
}

async function pickImage(attachments: Attachments): Promise<void> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Attach', filters: { Images: Object.keys(imageTypes) } });
  for (const uri of uris ?? []) {
    const name = uri.path.split('/').pop() ?? 'image';
    const type = imageTypes[name.split('.').pop()?.toLowerCase() ?? ''];
    if (type) {
      attachments.add(imageAttachment(name, type, Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64')));
    }
  }
}
