// The reviews of this window: each confirmation with changes is one. It opens
// the diffs, takes the decisions, and closes the diffs when the question is
// closed, wherever that was done.
import * as vscode from 'vscode';
import type { Answer, Change } from '../protocol';
import { confirmCard } from '../questions/cards';
import type { OpenConfirm, Questions } from '../questions/questions';
import type { Conversation } from '../session/conversation';
import { withTexts } from './answer';
import { ReviewFile } from './file';
import type { ReviewFileSystem } from './filesystem';
import { Proposal, type Place } from './proposal';
import { textsOf } from './texts';

/** An open confirmation with its files. */
export interface Review {
  question: OpenConfirm;
  files: ReviewFile[];
}

/** Keeps the open reviews. */
export class Reviews implements vscode.Disposable {
  private readonly open = new Map<string, Review>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private counter = 0;
  /** Decisions and closings happen one after the other. */
  private queue: Promise<void> = Promise.resolve();

  /** Places, decisions or warnings have changed. */
  readonly onChange = this.changed.event;

  constructor(
    private readonly fs: ReviewFileSystem,
    private readonly questions: Questions,
    private readonly conversation: Conversation,
  ) {
    this.subscriptions = [
      questions.onOpen((q) => {
        if (q.kind === 'confirm' && q.request.changes && q.request.changes.length > 0) {
          this.inOrder(() => this.begin(q, q.request.changes ?? []));
        }
      }),
      questions.onClose(({ question, answer }) => {
        const allowed = question.kind === 'confirm' && answer !== undefined && 'decision' in answer && answer.decision.startsWith('allow');
        this.inOrder(() => this.end(question.id, allowed));
      }),
    ];
  }

  /** The open reviews, the oldest first. */
  get all(): Review[] {
    return [...this.open.values()];
  }

  /** The file whose proposed text has this address. */
  find(right: vscode.Uri): { review: Review; file: ReviewFile } | undefined {
    for (const review of this.open.values()) {
      const file = review.files.find((f) => f.right.toString() === right.toString());
      if (file) {
        return { review, file };
      }
    }
    return undefined;
  }

  /** Opens the diff of a file again, or all files in one view. */
  async show(id: string, which: number | 'all'): Promise<void> {
    const review = this.open.get(id);
    if (!review) {
      return;
    }
    if (which === 'all' && review.files.length > 1) {
      await Promise.all(review.files.map((f) => f.open()));
      await vscode.commands.executeCommand('vscode.changes', review.question.request.title, review.files.map((f) => [f.target, f.left, f.right]));
      return;
    }
    await review.files[which === 'all' ? 0 : which]?.show(false);
  }

  /** Accepts or rejects one place. What is rejected is put back on the right. */
  async decidePlace(file: ReviewFile, place: Place, accept: boolean): Promise<void> {
    if (accept) {
      file.proposal.mark(place, !place.accepted);
    } else {
      await file.revert(place);
    }
    this.changed.fire();
    if (file.proposal.decided(file.text)) {
      await this.settle(file);
    }
  }

  /** Takes one file as it stands on the right; when all files are settled, the answer is given. */
  async settle(file: ReviewFile): Promise<void> {
    const found = this.find(file.right);
    if (!found) {
      return;
    }
    file.settled = true;
    const next = found.review.files.find((f) => !f.settled);
    if (next) {
      this.showCard(found.review);
      await next.show(false);
    } else {
      await this.decide(found.review.question.id, { decision: 'allow' });
    }
  }

  /** Rejects one file; of several the others are still to be decided. */
  async reject(file: ReviewFile): Promise<void> {
    const { review } = this.find(file.right) ?? {};
    if (!review || review.files.length === 1) {
      return review && this.decide(review.question.id, { decision: 'reject' });
    }
    for (let [place] = file.places; place; [place] = file.places) {
      await file.revert(place);
    }
    await this.settle(file);
  }

  /** Answers a confirmation; an approval takes the texts as they stand on the right. */
  async decide(id: string, answer: Answer): Promise<void> {
    const review = this.open.get(id);
    const allows = answer.decision === 'allow' || answer.decision === 'allowSession';
    this.questions.decide(id, review && allows ? withTexts(answer, review.files) : answer);
  }

  /** Says that something about a file has changed. */
  touch(): void {
    this.changed.fire();
  }

  /** Looks whether real files have changed under open reviews. */
  async checkDrift(uri: vscode.Uri): Promise<void> {
    for (const review of this.open.values()) {
      const file = review.files.find((f) => f.target.toString() === uri.toString());
      if (file && (await file.checkDrift()) && this.open.has(review.question.id)) {
        this.showCard(review);
        this.changed.fire();
      }
    }
  }

  dispose(): void {
    this.subscriptions.forEach((s) => void s.dispose());
    this.changed.dispose();
  }

  /** Shows in the chat how far a review is. */
  private showCard({ question, files }: Review): void {
    const card = confirmCard(question);
    const warning = files.map((f) => f.drift).filter(Boolean).join(' ') || undefined;
    const rows = card.files.map((row, i) => (files[i]?.settled ? { ...row, settled: files[i].verdict.kind === 'none' ? 'rejected' as const : 'accepted' as const } : row));
    this.conversation.emit(this.conversation.transcript.put({ ...card, warning, files: rows }));
  }

  private next(): number {
    this.counter += 1;
    return this.counter;
  }

  private async begin(question: OpenConfirm, changes: Change[]): Promise<void> {
    const files: ReviewFile[] = [];
    for (const change of changes) {
      const { base, proposed } = await textsOf(change);
      files.push(new ReviewFile(change, new Proposal(base, proposed, change.hunks), this.next(), this.fs, changes.length > 1));
    }
    if (!this.questions.get(question.id)) {
      files.forEach((f) => f.watcher.dispose());
      return; // closed meanwhile
    }
    this.open.set(question.id, { question, files });
    for (const { watcher } of files) {
      const changed = (uri: vscode.Uri): void => void this.checkDrift(uri);
      watcher.onDidChange(changed);
      watcher.onDidCreate(changed);
      watcher.onDidDelete(changed);
    }
    if (vscode.workspace.getConfiguration('agentd').get('review.openDiff', true)) {
      await files[0]?.show(true);
    }
    this.changed.fire();
  }

  private async end(id: string, allowed: boolean): Promise<void> {
    const review = this.open.get(id);
    if (!review) {
      return;
    }
    this.open.delete(id);
    const seen = review.files.filter((f) => f.tabs.some((t) => t.isActive && t.group.isActive));
    for (const file of review.files) {
      await file.close();
    }
    this.changed.fire();
    // Where the diff was, the person now sees the file.
    for (const file of allowed ? seen.filter((f) => f.change.op === 'modify') : []) {
      const line = Math.max(0, (file.change.hunks[0]?.newStart ?? 1) - 1);
      await vscode.window.showTextDocument(file.target, { preview: true, preserveFocus: false, selection: new vscode.Range(line, 0, line, 0) });
    }
  }

  private inOrder(step: () => Promise<void>): void {
    this.queue = this.queue.then(step).catch((error: unknown) => {
      this.conversation.say('error', `The review could not be shown: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
