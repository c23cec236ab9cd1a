// Joins changes that come in quick succession, so that a fast model does not
// flood the webview with messages.
import type { ItemChange } from '../shared/items';

/** Collects changes for a moment and gives them on together. */
export class Batch {
  private waiting: ItemChange[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly deliver: (changes: ItemChange[]) => void,
    private readonly delayMs = 33,
  ) {}

  /** Adds changes; texts for the same item become one. */
  add(changes: ItemChange[]): void {
    for (const change of changes) {
      const last = this.waiting.at(-1);
      if (change.op === 'append' && last?.op === 'append' && last.id === change.id) {
        last.text += change.text;
      } else {
        // Items grow after this: what waits must be as it was.
        this.waiting.push(change.op === 'put' ? { op: 'put', item: { ...change.item } } : { ...change });
      }
    }
    this.timer ??= setTimeout(() => this.flush(), this.delayMs);
  }

  /** Gives on what waits, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length > 0) {
      const changes = this.waiting;
      this.waiting = [];
      this.deliver(changes);
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.waiting = [];
    this.flush();
  }
}
