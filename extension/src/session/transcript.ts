// The conversation as data: what the daemon reports becomes items, and each
// step gives the changes that the view has to make. No editor in here.
import type { SessionEvent, ToolCallEvent } from '../protocol';
import type { Item, ItemChange, ToolItem } from '../shared/items';

/** A live output longer than this loses its beginning; the result has it all. */
const maxOutput = 200_000;

/** The list of items of a conversation. */
export class Transcript {
  private readonly byId = new Map<string, Item>();
  private counter = 0;
  /** The text items that still grow. */
  private readonly open = new Set<string>();
  /** The item of each call; the ids of calls are the model's and may come again. */
  private readonly calls = new Map<string, string>();
  /** Ids of the daemon are those of one session. */
  private session = 0;

  /** All items, the oldest first. */
  get items(): Item[] {
    return [...this.byId.values()];
  }

  get(id: string): Item | undefined {
    return this.byId.get(id);
  }

  /** A new id for an item of our own making. */
  nextId(kind: string): string {
    this.counter += 1;
    return `${kind}-${this.counter}`;
  }

  /** Adds an item, or puts a new state of one in its place. */
  put(item: Item): ItemChange[] {
    this.byId.set(item.id, item);
    return [{ op: 'put', item }];
  }

  /** Removes everything. */
  clear(): void {
    this.byId.clear();
    this.open.clear();
    this.calls.clear();
  }

  /** A new session begins: its ids have nothing to do with those before. */
  nextSession(): void {
    this.session += 1;
    this.calls.clear();
  }

  /** Takes in what the daemon reported; plan, usage, state and commands are not items. */
  apply(event: SessionEvent, parentCall?: string): ItemChange[] {
    const parent = parentCall === undefined ? undefined : this.calls.get(parentCall);
    switch (event.type) {
      case 'message_delta':
        return this.text('assistant', this.scoped('m', event.messageId), event.text, parent);
      case 'thought_delta':
        return this.text('thought', this.scoped('t', event.messageId), event.text, parent);
      case 'tool_call':
        return [...this.finish(), ...this.tool(event, parent)];
      case 'tool_output_delta':
        return this.output(this.calls.get(event.toolCallId), event.text);
      case 'notice':
        return [
          ...(event.voidMessageId === undefined ? [] : this.drop(this.scoped('m', event.voidMessageId), this.scoped('t', event.voidMessageId))),
          ...this.put({ kind: 'notice', id: this.nextId('notice'), level: event.level, text: event.message }),
        ];
      default:
        return [];
    }
  }

  /** Marks the texts that grew as done. */
  finish(): ItemChange[] {
    const changes: ItemChange[] = [];
    for (const id of this.open) {
      const item = this.byId.get(id);
      if (item?.kind === 'assistant' || item?.kind === 'thought') {
        changes.push(...this.put({ ...item, done: true }));
      }
    }
    this.open.clear();
    return changes;
  }

  /** Takes back the last notice if it says this: the end of the turn says it, too. */
  unsay(text: string): ItemChange[] {
    const last = this.items.at(-1);
    return last?.kind === 'notice' && last.text === text ? this.drop(last.id) : [];
  }

  /** A new message is sent: what is tried again from now on is that one, so nothing before it offers to. */
  moveOn(): ItemChange[] {
    const changes: ItemChange[] = [];
    for (const item of this.byId.values()) {
      if (item.kind === 'end' && item.retryable) {
        changes.push(...this.put({ ...item, retryable: false }));
      } else if (item.kind === 'notice' && item.actions?.some((a) => a.action === 'retry')) {
        changes.push(...this.put({ ...item, actions: item.actions.filter((a) => a.action !== 'retry') }));
      }
    }
    return changes;
  }

  /** Settles the calls that nobody will hear of any more. */
  abandon(why: string): ItemChange[] {
    const changes = this.finish();
    for (const item of this.byId.values()) {
      if (item.kind === 'tool' && (item.status === 'pending' || item.status === 'in_progress')) {
        changes.push(...this.put({ ...item, status: 'failed', error: why }));
      }
    }
    return changes;
  }

  private text(kind: 'assistant' | 'thought', id: string, text: string, parent: string | undefined): ItemChange[] {
    const item = this.byId.get(id);
    if (item?.kind === kind) {
      item.text += text;
      return [{ op: 'append', id, text }];
    }
    const before = this.finish();
    this.open.add(id);
    return [...before, ...this.put({ kind, id, text, done: false, parent })];
  }

  private tool(event: ToolCallEvent, parent: string | undefined): ItemChange[] {
    const known = this.byId.get(this.calls.get(event.toolCallId) ?? '');
    const over = known?.kind === 'tool' && (known.status === 'completed' || known.status === 'failed');
    const id = known && !(over && event.status === 'pending') ? known.id : this.nextId('call');
    this.calls.set(event.toolCallId, id);
    const base: ToolItem = known?.kind === 'tool' && known.id === id
      ? known
      : { kind: 'tool', id, tool: event.tool, title: event.tool, toolKind: 'other', status: 'pending', locations: [], output: '', parent };
    const text = event.error === undefined ? undefined : [event.error.message, event.error.hint].filter(Boolean).join('\n');
    return this.put({
      ...base,
      status: event.status,
      title: event.title ?? base.title,
      toolKind: event.kind ?? base.toolKind,
      locations: event.locations ?? base.locations,
      input: event.input === undefined ? base.input : show(event.input),
      text: event.text ?? base.text,
      error: text ?? base.error,
      changes: event.changes ?? base.changes,
      elapsedMs: event.stats?.elapsedMs ?? base.elapsedMs,
    });
  }

  private output(id: string | undefined, text: string): ItemChange[] {
    const item = this.byId.get(id ?? '');
    if (id === undefined || item?.kind !== 'tool') {
      return [];
    }
    item.output = (item.output + text).slice(-maxOutput);
    return [{ op: 'append', id, text }];
  }

  private scoped(kind: string, id: string): string {
    return `${kind}${this.session}:${id}`;
  }

  private drop(...ids: string[]): ItemChange[] {
    return ids.filter((id) => {
      this.open.delete(id);
      return this.byId.delete(id);
    }).map((id) => ({ op: 'drop', id }));
  }
}

/** Arguments as text: JSON, or the string that they are. */
function show(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input, null, 2);
}
