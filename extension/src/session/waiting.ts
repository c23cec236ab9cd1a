// The messages that wait while a turn runs, or are put into it, and the way back to
// the person for those that are not sent.
import * as vscode from 'vscode';
import type { Connection } from '../daemon/connection';
import { Happenings } from './happenings';
import { Pending } from './pending';
import { blocksOf, type Prompt } from './prompt';

/** A session that is open, and the connection to it. */
export interface Wire {
  connection: Connection;
  sessionId: string;
}

/** Keeps what waits. */
export abstract class Waiting extends Happenings {
  readonly pending = new Pending();
  private readonly returns = new vscode.EventEmitter<Prompt[]>();

  /** Messages that waited, and are the person's again. */
  readonly onReturn = this.returns.event;

  /** Undefined while no session is open. */
  protected abstract readonly wire: Wire | undefined;

  /** Sends a message when no turn runs. */
  abstract send(prompt: Prompt): Promise<void>;

  /** A turn runs. */
  get busy(): boolean {
    return this.activity !== 'idle';
  }

  /** Sends a message as soon as the turn is over. */
  async queue(prompt: Prompt): Promise<void> {
    if (!this.busy) {
      return this.send(prompt);
    }
    this.pending.add(prompt);
    this.changedState();
  }

  /** Puts a message into the running turn; if it is over by then the message is sent as any other. */
  async steer(prompt: Prompt): Promise<void> {
    const { wire } = this;
    if (!this.busy || !wire) {
      return this.queue(prompt);
    }
    const id = this.pending.add(prompt, true);
    this.changedState();
    try {
      await wire.connection.request('session/steer', { sessionId: wire.sessionId, prompt: blocksOf(prompt), steerId: id });
    } catch {
      this.pending.refused(id);
      this.changedState();
      const next = this.busy ? undefined : this.pending.take(id);
      return next && this.send(next);
    }
  }

  /** Takes back a message that waits; undefined if the model has it already. */
  async withdraw(id: string): Promise<Prompt | undefined> {
    let prompt = this.pending.take(id);
    const { wire } = this;
    if (!prompt && wire) {
      const { withdrawn } = await wire.connection.request('session/unsteer', { sessionId: wire.sessionId, steerId: id });
      prompt = withdrawn ? this.pending.withdrawn(id) : undefined;
    }
    this.changedState();
    return prompt;
  }

  /** A message that was not sent after all is the person's again. */
  giveBackNow(prompt: Prompt): void {
    this.returns.fire([prompt]);
  }

  /** Gives the messages that wait back to the person. */
  protected giveBack(all = true): void {
    const prompts = this.pending.drain(all);
    if (prompts.length > 0) {
      this.returns.fire(prompts);
      this.changedState();
    }
  }

  override dispose(): void {
    super.dispose();
    this.returns.dispose();
  }
}
