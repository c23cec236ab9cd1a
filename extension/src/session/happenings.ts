// What happens in a conversation, as it is told by the daemon: live, or again
// when a stored session is opened. It becomes the transcript and what stands
// around it.
import * as vscode from 'vscode';
import type { ModeInfo, ModelInfo, Step, ServerStatus, SlashCommand, StateEvent, ToolInfo, Update, UsageEvent, UserMessage } from '../protocol';
import type { EndItem, ItemChange, NoticeAction, UserItem } from '../shared/items';
import { promptOf, type Prompt } from './prompt';
import { Transcript } from './transcript';
import { endItem } from './turnend';

/** What the daemon said about the session. */
export interface SessionFacts {
  model: string;
  models: ModelInfo[];
  mode: string;
  modes: ModeInfo[];
  tools: ToolInfo[];
}

/** The task of a subagent comes as a message to it; it stands in the call already. */
export function isTask(u: Update): boolean {
  return u.update.type === 'user_message' && u.parentToolCallId !== undefined;
}

/** Takes in what happens. */
export class Happenings implements vscode.Disposable {
  readonly transcript = new Transcript();
  plan: Step[] = [];
  usage: UsageEvent | undefined;
  commands: SlashCommand[] = [];
  /** The MCP servers, from the first message on. */
  mcpServers: ServerStatus[] = [];
  activity: StateEvent['state'] = 'idle';
  facts: SessionFacts | undefined;
  /** What the session is called; empty before its first message. */
  title = '';

  protected turnId: string | undefined;
  /** The messages as they can be sent again, by the id of their item. */
  private readonly prompts = new Map<string, Prompt>();
  private changed = new Set<string>();
  /** The message that was sent and not yet heard of. */
  private sent: UserItem | undefined;
  private lastSent: Prompt | undefined;
  /** What comes again is shown when all of it is there. */
  private silent = false;
  private readonly changes = new vscode.EventEmitter<ItemChange[]>();
  private readonly states = new vscode.EventEmitter<void>();

  /** Items were added or have changed. */
  readonly onChanges = this.changes.event;
  /** Something around the items has changed. */
  readonly onState = this.states.event;

  /** The last message that was sent to the model. */
  get lastPrompt(): Prompt | undefined {
    return this.lastSent;
  }

  /** A message of the person's, to be sent again. */
  promptOf(itemId: string): Prompt | undefined {
    return this.prompts.get(itemId);
  }

  /** Adds a line of our own to the conversation. */
  say(level: 'info' | 'warning' | 'error', text: string, actions?: NoticeAction[]): void {
    this.emit(this.transcript.put({ kind: 'notice', id: this.transcript.nextId('notice'), level, text, actions }));
  }

  /** Tells the view about changes of the transcript. */
  emit(changes: ItemChange[]): void {
    if (changes.length > 0 && !this.silent) {
      this.changes.fire(changes);
    }
  }

  dispose(): void {
    this.changes.dispose();
    this.states.dispose();
  }

  /** The mode or the model is another one. */
  protected setFacts(now: { mode: string; model: string }): void {
    if (this.facts) {
      this.facts = { ...this.facts, mode: now.mode, model: now.model };
    }
    if (!this.silent) {
      this.changedState();
    }
  }

  /** Tells that something around the items has changed. */
  protected changedState(): void {
    this.states.fire();
  }

  /** A message is sent: it is shown at once. */
  protected begin(prompt: Prompt): void {
    this.activity = 'running';
    this.turnId = undefined;
    this.changed.clear();
    this.lastSent = prompt;
    this.sent = { kind: 'user', id: this.transcript.nextId('user'), text: prompt.text, attachments: prompt.parts.map((p) => p.label) };
    this.prompts.set(this.sent.id, prompt);
    this.emit([...this.transcript.moveOn(), ...this.transcript.put(this.sent)]);
    this.changedState();
  }

  /** The turn is over. */
  protected end(item?: EndItem): void {
    this.emit(this.transcript.finish());
    if (item) {
      this.emit(this.transcript.put(item));
    }
    this.sent = undefined;
    this.activity = 'idle';
    this.turnId = undefined;
    this.changedState();
  }

  /** The files that this turn has changed. */
  protected changedFiles(): string[] {
    return [...this.changed];
  }

  /** The daemon has taken a message: the one that is shown already, one that waited, or one of another time. */
  protected heard(event: UserMessage, turnId: string | undefined, waited?: Prompt): void {
    this.turnId = turnId ?? this.turnId;
    if (this.sent && !waited) {
      this.emit(this.transcript.put({ ...this.sent, turnId }));
      this.sent = undefined;
      return;
    }
    const prompt = waited ?? promptOf(event.content);
    const begins = event.messageId.endsWith('-user');
    const id = this.transcript.nextId('user');
    this.prompts.set(id, prompt);
    this.lastSent = begins ? prompt : this.lastSent;
    this.emit([...this.transcript.finish(), ...this.transcript.put({
      kind: 'user', id, text: prompt.text, attachments: prompt.parts.map((p) => p.label), turnId: begins ? turnId : undefined,
    })]);
  }

  /** Something happened now. */
  protected happened(u: Update): void {
    this.turnId = u.turnId ?? this.turnId;
    const event = u.update;
    switch (event.type) {
      case 'plan':
        if (u.parentToolCallId === undefined) {
          this.plan = event.entries;
        }
        break;
      case 'usage':
        this.usage = u.parentToolCallId === undefined || !this.usage ? event : { ...this.usage, session: event.session, cost: event.cost }; // a subagent's context is its own
        break;
      case 'commands':
        this.commands = event.commands;
        break;
      case 'mcp_servers':
        this.mcpServers = event.servers;
        return;
      case 'config':
        this.setFacts(event);
        return;
      case 'session_info':
        this.title = event.title;
        break;
      case 'state':
        // The turn is over for us only with the reply to its prompt.
        this.activity = event.state === 'idle' ? this.activity : event.state;
        break;
      default:
        if (event.type === 'tool_call') {
          event.changes?.forEach((c) => this.changed.add(c.path));
        }
        this.emit(this.transcript.apply(event, u.parentToolCallId));
        return;
    }
    if (!this.silent) {
      this.changedState();
    }
  }

  /** Takes in what happened at another time; the view is told by the caller. */
  protected replay(updates: Update[]): void {
    this.silent = true;
    const { facts, title, commands } = this; // they are those of now
    let last: EndItem | undefined;
    for (const u of updates.filter((one) => !isTask(one))) {
      if (u.update.type === 'user_message') {
        if (u.update.messageId.endsWith('-user')) {
          this.changed.clear();
        }
        last = undefined;
        this.heard(u.update, u.turnId);
      } else {
        this.happened(u);
      }
      if (u.update.type === 'state' && u.update.state === 'idle' && u.turnId !== undefined) {
        this.emit(this.transcript.finish());
        const { stopReason = 'end_turn', error } = u.update; // sessions of earlier versions do not say
        last = endItem(this.transcript.nextId('end'), { turnId: u.turnId, stopReason, error }, this.changedFiles());
        this.emit(error ? this.transcript.unsay(error.message) : []);
        if (last) {
          this.transcript.put({ ...last, retryable: false });
        }
        this.changed.clear();
      }
    }
    if (last) {
      this.transcript.put(last); // only the last turn can be tried again
    }
    this.transcript.abandon('it is not known how this ended');
    this.silent = false;
    Object.assign(this, { facts, title, commands });
    this.activity = 'idle';
    this.turnId = undefined;
    this.changed.clear();
  }

  /** Forgets everything. */
  protected clear(): void {
    this.transcript.clear();
    this.prompts.clear();
    this.changed.clear();
    this.plan = [];
    this.mcpServers = [];
    this.usage = undefined;
    this.title = '';
    this.turnId = undefined;
    this.sent = undefined;
    this.lastSent = undefined;
    this.activity = 'idle';
  }
}
