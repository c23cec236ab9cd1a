// The messages that wait while a turn runs, and the way back to the person for
// those that are not sent.
import * as vscode from 'vscode';
import { Happenings } from './happenings';
import { Pending } from './pending';
import type { Prompt } from './prompt';

/** Keeps what waits. */
export class Waiting extends Happenings {
  readonly pending = new Pending();
  private readonly returns = new vscode.EventEmitter<Prompt[]>();

  /** Messages that waited, and are the person's again. */
  readonly onReturn = this.returns.event;

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
