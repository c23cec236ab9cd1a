// The questions that wait for the person. A question can be answered in several
// places (the chat, the diff, a notification): the first answer counts, and
// everybody hears that it is closed.
import * as vscode from 'vscode';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Answer, AskAnswer, AskRequest, ConfirmRequest } from '../protocol';

/** A confirmation that is open. */
export interface OpenConfirm {
  kind: 'confirm';
  id: string;
  request: ConfirmRequest;
}

/** Questions of the model's that are open. */
export interface OpenAsk {
  kind: 'ask';
  id: string;
  request: AskRequest;
}

export type OpenQuestion = OpenConfirm | OpenAsk;

/** How a question was closed: by an answer, or by the daemon. */
export type Closing = { question: OpenQuestion; answer?: Answer | AskAnswer };

/** The open questions of this window. */
export class Questions implements vscode.Disposable {
  private readonly open = new Map<string, { question: OpenQuestion; settle: (answer?: Answer | AskAnswer) => void }>();
  private readonly opened = new vscode.EventEmitter<OpenQuestion>();
  private readonly closed = new vscode.EventEmitter<Closing>();
  private counter = 0;

  readonly onOpen = this.opened.event;
  readonly onClose = this.closed.event;

  /** The open questions, the oldest first. */
  get all(): OpenQuestion[] {
    return [...this.open.values()].map((entry) => entry.question);
  }

  get(id: string): OpenQuestion | undefined {
    return this.open.get(id)?.question;
  }

  /** Answers `ui/confirm`. Without an answer it is a rejection; the daemon has closed the question and does not listen. */
  async confirm(request: ConfirmRequest, token: CancellationToken): Promise<Answer> {
    const answer = await this.wait({ kind: 'confirm', id: this.nextId(request.confirmId), request }, token);
    return (answer as Answer | undefined) ?? { decision: 'reject' };
  }

  /** Answers `ui/askUser`. */
  async ask(request: AskRequest, token: CancellationToken): Promise<AskAnswer> {
    const answer = await this.wait({ kind: 'ask', id: this.nextId(request.askId), request }, token);
    return (answer as AskAnswer | undefined) ?? { outcome: 'dismissed' };
  }

  /** Gives the answer to a confirmation; false if it is not open any more. */
  decide(id: string, answer: Answer): boolean {
    return this.close(id, 'confirm', answer);
  }

  /** Gives the answer to the model's questions; false if they are not open any more. */
  reply(id: string, answer: AskAnswer): boolean {
    return this.close(id, 'ask', answer);
  }

  /** Closes all questions without an answer: the daemon is gone. */
  dismissAll(): void {
    for (const entry of [...this.open.values()]) {
      entry.settle();
    }
  }

  dispose(): void {
    this.dismissAll();
    this.opened.dispose();
    this.closed.dispose();
  }

  private close(id: string, kind: OpenQuestion['kind'], answer: Answer | AskAnswer): boolean {
    const entry = this.open.get(id);
    if (entry?.question.kind !== kind) {
      return false;
    }
    entry.settle(answer);
    return true;
  }

  // Ids of calls are the model's and may come twice in one session.
  private nextId(base: string): string {
    this.counter += 1;
    return `${base}#${this.counter}`;
  }

  private wait(question: OpenQuestion, token: CancellationToken): Promise<Answer | AskAnswer | undefined> {
    return new Promise((resolve) => {
      const settle = (answer?: Answer | AskAnswer): void => {
        if (this.open.delete(question.id)) {
          listener.dispose();
          resolve(answer);
          this.closed.fire({ question, answer });
        }
      };
      this.open.set(question.id, { question, settle });
      const listener = token.onCancellationRequested(() => settle());
      if (token.isCancellationRequested) {
        settle();
      } else {
        this.opened.fire(question);
      }
    });
  }
}
