// Going on from an earlier place of a conversation: a copy of it up to there,
// or another message in place of one that was sent. The conversation as it was
// stays in the list of chats.
import * as vscode from 'vscode';
import { unlinked } from '../attention/unlinked';
import type { Conversation } from './conversation';
import type { Prompt } from './prompt';
import type { StoredSessions } from './stored';

/** Makes branches of the conversation of this window. */
export class Branches {
  constructor(private readonly conversation: Conversation, private readonly stored: StoredSessions) {}

  /** Opens a copy that ends with the turn of a message; without one, a copy of all. */
  async forkFrom(itemId?: string): Promise<void> {
    const { conversation } = this;
    const item = itemId === undefined ? undefined : conversation.transcript.get(itemId);
    await this.open(item?.kind === 'user' ? item.turnId : undefined);
    conversation.say('info', 'This is a copy of the chat up to here. The files are as they are now.');
  }

  /** Sends another message in place of an earlier one: what came after that one is not in the chat any more. */
  async resend(itemId: string, prompt: Prompt): Promise<void> {
    const { conversation } = this;
    let ready = false;
    try {
      ready = await this.goBack(itemId);
    } finally {
      if (!ready) {
        conversation.giveBackNow(prompt); // what was typed is not lost
      }
    }
    if (ready) {
      await conversation.send(prompt);
    }
  }

  /** Opens the chat as it was before a message; false if the person thinks better of it. */
  private async goBack(itemId: string): Promise<boolean> {
    if (this.conversation.busy) {
      throw new Error('The agent is at work: stop it first.');
    }
    if (!(await this.putBack(itemId))) {
      return false;
    }
    const before = this.turnBefore(itemId);
    await (before === undefined ? this.conversation.reset() : this.open(before));
    return true;
  }

  private async open(turnId: string | undefined): Promise<void> {
    const { conversation } = this;
    const { id, folder, title } = conversation;
    if (id === undefined) {
      return;
    }
    if (conversation.busy) {
      throw new Error('The agent is at work: stop it first.');
    }
    await conversation.resume(await this.stored.fork(id, title, turnId), folder);
  }

  /** The last turn that began before a message. */
  private turnBefore(itemId: string): string | undefined {
    let before: string | undefined;
    for (const item of this.conversation.transcript.items) {
      if (item.id === itemId) {
        return before;
      }
      before = item.kind === 'user' ? item.turnId ?? before : before;
    }
    return before;
  }

  /** Offers to put back the files that were changed since; false if the person thinks better of it. */
  private async putBack(itemId: string): Promise<boolean> {
    const { items } = this.conversation.transcript;
    const since = items.slice(items.findIndex((i) => i.id === itemId)).filter((i) => i.kind === 'end').filter((i) => i.changed.length > 0);
    if (since.length === 0) {
      return true;
    }
    const files = new Set(since.flatMap((i) => i.changed)).size;
    const keep = 'Keep the Files';
    const back = 'Put the Files Back';
    const picked = await vscode.window.showInformationMessage(
      `${files === 1 ? '1 file was' : `${files} files were`} changed since that message. Put what the agent changed back, too?`,
      { modal: true, detail: 'What somebody else has changed since is left alone. The chat as it was stays in the list of chats.' },
      back, keep,
    );
    if (picked === back) {
      for (const { turnId } of since.reverse()) {
        const { conflicts } = await this.conversation.undo(turnId);
        if (conflicts.length > 0) {
          void vscode.window.showWarningMessage(`Left alone: ${unlinked(conflicts.map((c) => `${c.path} (${c.reason})`).join(', '))}`);
        }
      }
    }
    return picked !== undefined;
  }
}
