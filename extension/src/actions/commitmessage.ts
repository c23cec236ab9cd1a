// Writes a commit message from what is staged. It uses a session of its own, in
// plan mode, so that it neither disturbs the chat nor changes anything.
import * as vscode from 'vscode';
import { unlinked } from '../attention/unlinked';
import type { Daemon } from '../daemon/daemon';
import type { SessionOptions } from '../session/options';
import { fence } from '../chat/fence';
import { findRepository } from './git';

/** A diff longer than this is cut. */
const maxDiff = 60_000;

const task = 'Write the commit message for this staged diff: one subject line of at most 72 characters in the imperative, and if it needs one, a blank line and a short body that says why. Answer with the message alone, without quotes and without a code fence.';

/** Fills the message box of a repository. */
export async function writeCommitMessage(daemon: Daemon, options: SessionOptions, target: unknown): Promise<void> {
  const repository = await findRepository(target);
  if (!repository) {
    void vscode.window.showInformationMessage('No git repository is open.');
    return;
  }
  const staged = await repository.diff(true);
  const diff = staged || (await repository.diff(false));
  if (!diff.trim()) {
    void vscode.window.showInformationMessage('There are no changes to write a message about.');
    return;
  }
  await vscode.window.withProgress({ location: vscode.ProgressLocation.SourceControl, title: 'Writing a commit message' }, async () => {
    try {
      repository.inputBox.value = await ask(daemon, options, `${task}\n\n${fence(diff.slice(0, maxDiff), 'diff')}`);
    } catch (error) {
      void vscode.window.showErrorMessage(`No commit message was written: ${unlinked(error)}`);
    }
  });
}

async function ask(daemon: Daemon, options: SessionOptions, text: string): Promise<string> {
  const { connection } = await daemon.ready();
  // It needs nothing of what a folder brings: no server of it is started or asked about.
  const { sessionId, tools } = await connection.request('session/new', { ...options.make(), mode: 'plan', enable: [], trusted: false });
  await connection.request('tools/configure', { sessionId, disable: tools.map((t) => t.name) });
  let reply = '';
  const listener = daemon.onUpdate((u) => {
    if (u.sessionId === sessionId && u.update.type === 'message_delta') {
      reply += u.update.text;
    }
  });
  try {
    const result = await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    if (result.error) {
      throw new Error(result.error.message);
    }
    return reply.trim().replace(/^```\w*\n|\n```$/g, '');
  } finally {
    listener.dispose();
    await connection.request('session/delete', { sessionId }); // it is no chat
  }
}
