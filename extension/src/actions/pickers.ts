// The pickers for mode and model. They are the editor's own: they follow the
// keyboard and the theme, and fit into any width.
import * as vscode from 'vscode';
import type { ModeInfo } from '../protocol';
import type { Conversation } from '../session/conversation';
import type { SessionOptions } from '../session/options';
import type { Setup } from '../setup/setup';

const icons: Record<ModeInfo['id'], string> = { ask: 'comment-discussion', plan: 'list-tree', 'accept-edits': 'edit', auto: 'rocket' };

/** Lets the person choose the mode of the session. */
export async function pickMode(conversation: Conversation, options: SessionOptions): Promise<void> {
  await conversation.open();
  if (!vscode.workspace.isTrusted) {
    const manage = 'Manage Trust';
    if ((await vscode.window.showInformationMessage('In a folder that is not trusted the agent only reads and plans.', manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  const now = conversation.facts?.mode;
  const picked = await vscode.window.showQuickPick(
    (conversation.facts?.modes ?? []).map((m) => ({ label: `$(${icons[m.id]}) ${m.name}`, description: m.id === now ? 'now' : undefined, detail: m.description, id: m.id })),
    { title: 'agentd: mode', placeHolder: 'What may be done without asking?' },
  );
  if (picked) {
    options.mode = picked.id;
    await conversation.configure({ mode: picked.id });
  }
}

/** Lets the person choose the model of the session. */
export async function pickModel(conversation: Conversation, options: SessionOptions, setup: Setup): Promise<void> {
  await conversation.open();
  const { facts } = conversation;
  const offered = facts?.models ?? [];
  const others = (await setup.models()).filter((id) => !offered.some((m) => m.id === id));
  const other = { label: '$(edit) Another model…', id: undefined };
  const picked = await vscode.window.showQuickPick(
    [
      ...offered.map((m) => ({ label: m.name ?? m.id, description: m.id === facts?.model ? 'now' : undefined, id: m.id as string | undefined })),
      ...(others.length > 0 ? [{ label: 'of the server', kind: vscode.QuickPickItemKind.Separator, id: undefined }] : []),
      ...others.map((id) => ({ label: id, description: undefined, id: id as string | undefined })),
      { label: '', kind: vscode.QuickPickItemKind.Separator, id: undefined },
      other,
    ],
    { title: 'agentd: model', placeHolder: 'Choose a model that can call tools' },
  );
  const model = picked === other ? await vscode.window.showInputBox({ title: 'agentd: model', prompt: 'The name of the model, as the server knows it' }) : picked?.id;
  if (model) {
    options.model = model;
    await conversation.configure({ model });
  }
}
