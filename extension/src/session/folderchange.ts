// The folders of a window may come late, and others may be added or taken away
// while a chat is open. A session has fixed folders: it is opened again with
// those of now, as soon as no turn runs.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Conversation } from './conversation';
import { workspacePaths } from './folders';
import type { SessionOptions } from './options';

/** Keeps the conversation in the folders of the window. */
export function followFolders(conversation: Conversation, options: SessionOptions, refresh: () => Promise<void>): vscode.Disposable {
  let changed = false;
  const follow = async (): Promise<void> => {
    if (!changed || conversation.busy || options.demoFolder !== undefined) {
      return;
    }
    changed = false;
    if (conversation.id === undefined) {
      await refresh(); // it may be opened just now, with the folders that were there
    }
    const now = workspacePaths();
    const { id, folders } = conversation;
    if (id === undefined || (now.length === folders.length && now.every((f) => folders.includes(f)))) {
      return;
    }
    const said = conversation.title !== '';
    if (!now.includes(conversation.folder)) {
      const gone = basename(conversation.folder);
      await conversation.reset();
      if (said) {
        conversation.say('info', `The folder ${gone} is no longer in this window. Its chat is kept: it is listed when the folder is open again.`);
      }
    } else if (said) {
      await conversation.reopen();
      conversation.say('info', `The folders of the window have changed: the agent now works in ${now.map((f) => basename(f)).join(', ')}. What you have allowed for the session is asked again.`);
    } else {
      await conversation.reset();
    }
    await refresh();
  };
  const run = (): void => void follow().catch((error: unknown) => conversation.say('error', error instanceof Error ? error.message : String(error)));
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      changed = true;
      run();
    }),
    conversation.onState(run),
  );
}
