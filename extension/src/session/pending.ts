// Messages that wait while a turn runs: some for its end, some are on their way
// into it. No editor in here.
import type { PendingLabel } from '../shared/items';
import type { Prompt } from './prompt';

/** A message that waits. */
interface Waiting {
  id: string;
  prompt: Prompt;
  /** It was given to the daemon, and comes back once the model has it. */
  steering: boolean;
}

/** The messages that wait, the oldest first. */
export class Pending {
  private list: Waiting[] = [];
  private counter = 0;

  /** What the chat shows of them. */
  get labels(): PendingLabel[] {
    return this.list.map((w) => ({ id: w.id, text: w.prompt.text, attachments: w.prompt.parts.length, steering: w.steering }));
  }

  get size(): number {
    return this.list.length;
  }

  /** Adds a message; gives its id. */
  add(prompt: Prompt, steering = false): string {
    this.counter += 1;
    const id = `pending-${this.counter}`;
    this.list.push({ id, prompt, steering });
    return id;
  }

  /** Takes out one that waits for the end of the turn. */
  take(id: string): Prompt | undefined {
    return this.remove((w) => w.id === id && !w.steering);
  }

  /** Takes out one that the daemon has given back. */
  withdrawn(id: string): Prompt | undefined {
    return this.remove((w) => w.id === id);
  }

  /** The next message for a new turn. */
  next(): Prompt | undefined {
    return this.remove((w) => !w.steering);
  }

  /** The model has the oldest message that was on its way. */
  delivered(): Prompt | undefined {
    return this.remove((w) => w.steering);
  }

  /** One on its way was not taken: it waits for the end of the turn, before all others. */
  refused(id?: string): void {
    const w = this.list.find((one) => one.steering && (id === undefined || one.id === id));
    if (w) {
      w.steering = false;
      this.list = [w, ...this.list.filter((one) => one !== w)];
    }
  }

  /** Empties the list of what waits for the end of the turn, or of all. */
  drain(all: boolean): Prompt[] {
    const out = this.list.filter((w) => all || !w.steering);
    this.list = this.list.filter((w) => !out.includes(w));
    return out.map((w) => w.prompt);
  }

  private remove(wanted: (w: Waiting) => boolean): Prompt | undefined {
    const at = this.list.findIndex(wanted);
    return at < 0 ? undefined : this.list.splice(at, 1)[0]?.prompt;
  }
}
