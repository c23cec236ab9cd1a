// The list of chats: the editor's own quick pick, so that it is searched and
// driven as all lists are.
import * as vscode from 'vscode';
import type { Info } from '../protocol';
import { ago } from '../shared/ago';
import type { Branches } from '../session/branches';
import type { Conversation } from '../session/conversation';
import type { SessionOptions } from '../session/options';
import type { StoredSessions } from '../session/stored';

/** What the commands act on. */
export interface ChatParts {
  conversation: Conversation;
  /** A new chat leaves the offline demo. */
  options: SessionOptions;
  stored: StoredSessions;
  branches: Branches;
  /** Shows the chat, and finds out whether it can be used. */
  show: () => Promise<void>;
}

interface Row extends vscode.QuickPickItem {
  info: Info;
}

const rename: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: 'Rename' };
const fork: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('repo-forked'), tooltip: 'Copy and open' };
const remove: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete' };
const create: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('add'), tooltip: 'New chat' };

/** Registers the commands. */
export function registerChats(parts: ChatParts): vscode.Disposable {
  const { conversation, options, stored, branches, show } = parts;
  const command = (name: string, run: (...args: unknown[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(`agentd.${name}`, run);
  return vscode.Disposable.from(
    command('newChat', async () => {
      if (await mayLeave(conversation)) {
        options.demoFolder = undefined;
        await conversation.reset();
        await show();
      }
    }),
    command('chats', () => pick(parts)),
    command('openChat', async (id, folder) => {
      if (typeof id === 'string' && typeof folder === 'string' && (await mayLeave(conversation))) {
        await conversation.resume(id, folder);
        await show();
      }
    }),
    command('renameChat', async () => {
      if (conversation.id !== undefined && conversation.title !== '') {
        await renameChat(stored, { sessionId: conversation.id, title: conversation.title });
      } else {
        nothingYet();
      }
    }),
    command('forkChat', () => (conversation.title === '' ? nothingYet() : branches.forkFrom())),
    command('deleteChat', async () => {
      if (conversation.id !== undefined && conversation.title !== '') {
        await deleteChat(parts, { sessionId: conversation.id, title: conversation.title });
      } else {
        nothingYet();
      }
    }),
  );
}

function nothingYet(): void {
  void vscode.window.showInformationMessage('This chat is still empty.');
}

/** A turn that runs ends with its chat: that is asked about. */
async function mayLeave(conversation: Conversation): Promise<boolean> {
  if (!conversation.busy) {
    return true;
  }
  const leave = 'Stop and Leave';
  return (await vscode.window.showWarningMessage('The agent is at work in this chat. It is stopped if you leave.', { modal: true }, leave)) === leave;
}

async function pick(parts: ChatParts): Promise<void> {
  const { conversation, stored } = parts;
  const list = vscode.window.createQuickPick<Row>();
  let open = true;
  list.title = 'agentd: chats';
  list.placeholder = 'Search the chats of this folder';
  list.matchOnDescription = true;
  list.buttons = [create];
  const fill = async (): Promise<void> => {
    list.busy = true;
    let rows = 0;
    for await (const infos of stored.pages()) {
      if (!open) {
        return;
      }
      rows = infos.length;
      list.items = infos.map((info) => row(info, conversation.id));
    }
    if (rows === 0) {
      list.items = [];
      list.placeholder = 'There are no chats in this folder yet';
    }
    list.busy = false;
  };
  const chosen = new Promise<Row | undefined>((done) => {
    list.onDidAccept(() => done(list.selectedItems[0]));
    list.onDidHide(() => done(undefined));
  });
  list.onDidTriggerButton(() => {
    list.hide();
    void vscode.commands.executeCommand('agentd.newChat');
  });
  list.onDidTriggerItemButton(async ({ button, item }) => {
    list.hide();
    if (button === rename) {
      await renameChat(stored, item.info);
    } else if (button === fork) {
      const id = await stored.fork(item.info.sessionId, item.info.title);
      await vscode.commands.executeCommand('agentd.openChat', id, item.info.cwd);
    } else {
      await deleteChat(parts, item.info);
      await pick(parts); // as a rule there is more to clean up
    }
  });
  list.show();
  fill().catch((error: unknown) => {
    list.busy = false;
    list.placeholder = `The chats cannot be listed: ${error instanceof Error ? error.message : String(error)}`;
  });
  const row_ = await chosen;
  open = false;
  list.dispose();
  if (row_) {
    await vscode.commands.executeCommand('agentd.openChat', row_.info.sessionId, row_.info.cwd);
  }
}

function row(info: Info, current: string | undefined): Row {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? folders.find((f) => f.uri.fsPath === info.cwd)?.name : undefined;
  return {
    label: `${info.sessionId === current ? '$(circle-filled) ' : ''}${info.title.replace(/\$\(/g, '$ (')}`,
    description: [ago(info.updatedAt), folder, info.sessionId === current ? 'open' : undefined].filter(Boolean).join(' · '),
    buttons: [rename, fork, remove],
    info,
  };
}

async function renameChat(stored: StoredSessions, info: Pick<Info, 'sessionId' | 'title'>): Promise<void> {
  const title = await vscode.window.showInputBox({ title: 'agentd: rename chat', value: info.title, validateInput: (text) => (text.trim() ? undefined : 'A chat needs a name.') });
  if (title) {
    await stored.rename(info.sessionId, title.trim());
  }
}

async function deleteChat({ conversation, stored, show }: ChatParts, info: Pick<Info, 'sessionId' | 'title'>): Promise<void> {
  const yes = 'Delete';
  const picked = await vscode.window.showWarningMessage(`Delete the chat "${info.title}"?`, { modal: true, detail: 'It cannot be brought back, nor can what it changed be undone any more. The files stay as they are.' }, yes);
  if (picked !== yes) {
    return;
  }
  if (info.sessionId === conversation.id) {
    await conversation.reset();
    await stored.delete(info.sessionId);
    await show();
  } else {
    await stored.delete(info.sessionId);
  }
}
