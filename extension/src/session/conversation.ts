// The conversation of this window: one session of the daemon, its transcript
// and what it is doing. The chat shows it, commands act on it.
import * as vscode from 'vscode';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import type { ContentBlock, ModelInfo, ModeInfo, PlanEntry, PromptResult, SessionNewParams, SlashCommand, StateEvent, ToolInfo, Update, Usage } from '../protocol';
import type { Daemon } from '../daemon/daemon';
import type { AttachmentLabel, ItemChange, NoticeAction } from '../shared/items';
import { Transcript } from './transcript';
import { endItem } from './turnend';

/** A message as it was sent, to be sent again. */
export interface Prompt {
  text: string;
  blocks: ContentBlock[];
  attachments: AttachmentLabel[];
}

/** What the daemon said about the session. */
export interface SessionFacts {
  model: string;
  models: ModelInfo[];
  mode: string;
  modes: ModeInfo[];
  tools: ToolInfo[];
}

/** The conversation and the session behind it. */
export class Conversation implements vscode.Disposable {
  readonly transcript = new Transcript();
  plan: PlanEntry[] = [];
  usage: { request: Usage; session: Usage } | undefined;
  commands: SlashCommand[] = [];
  facts: SessionFacts | undefined;
  activity: StateEvent['state'] = 'idle';
  /** The folder that the session works in. */
  folder = '';

  private sessionId: string | undefined;
  private opening: Promise<string> | undefined;
  private turnId: string | undefined;
  private changed = new Set<string>();
  private last: Prompt | undefined;
  /** The connection broke while a turn ran; how the process ended is heard a moment later. */
  private interrupted = false;
  private readonly changes = new vscode.EventEmitter<ItemChange[]>();
  private readonly states = new vscode.EventEmitter<void>();
  private readonly resets = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  /** Items were added or have changed. */
  readonly onChanges = this.changes.event;
  /** Something around the items has changed. */
  readonly onState = this.states.event;
  /** The conversation starts anew. */
  readonly onReset = this.resets.event;

  constructor(
    private readonly daemon: Daemon,
    private readonly options: () => SessionNewParams,
  ) {
    this.subscriptions = [daemon.onUpdate((u) => this.onUpdate(u)), daemon.onEnd((why) => this.onDaemonEnd(why))];
  }

  /** The id of the session, if there is one. */
  get id(): string | undefined {
    return this.sessionId;
  }

  get busy(): boolean {
    return this.activity !== 'idle';
  }

  /** The last message that was sent to the model. */
  get lastPrompt(): Prompt | undefined {
    return this.last;
  }

  /** Makes the session if there is none yet; fails with the daemon's reason. */
  async open(): Promise<string> {
    if (this.sessionId !== undefined) {
      return this.sessionId;
    }
    this.opening ??= this.create().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Sends a message and waits for the end of the turn. */
  async send(prompt: Prompt): Promise<PromptResult | undefined> {
    if (this.busy) {
      throw new Error('The agent is at work: wait, or stop it first.');
    }
    this.activity = 'running';
    this.states.fire();
    this.changed.clear();
    this.last = prompt;
    this.emit(this.transcript.put({ kind: 'user', id: this.transcript.nextId('user'), text: prompt.text, attachments: prompt.attachments }));
    let result: PromptResult | undefined;
    try {
      const sessionId = await this.open();
      const { connection } = await this.daemon.ready();
      result = await connection.request('session/prompt', { sessionId, prompt: prompt.blocks });
    } catch (error) {
      if (error instanceof ResponseError && error.code === ErrorCodes.PendingResponseRejected) {
        this.activity = 'idle'; // the daemon is gone: onDaemonEnd says so
        this.interrupted = true;
        this.states.fire();
        return undefined;
      }
      this.say('error', error instanceof Error ? error.message : String(error), [{ label: 'Try again', action: 'retry' }, { label: 'Show log', action: 'showLog' }]);
    }
    this.emit(this.transcript.finish());
    const end = result && endItem(this.transcript.nextId('end'), result, [...this.changed]);
    if (end) {
      this.emit(this.transcript.put(end));
    }
    this.activity = 'idle';
    this.turnId = undefined;
    this.states.fire();
    return result;
  }

  /** Cancels the running turn. */
  async stop(): Promise<void> {
    if (this.sessionId !== undefined && this.busy) {
      await this.daemon.connection?.request('session/cancel', { sessionId: this.sessionId, turnId: this.turnId });
    }
  }

  /** Puts the files back that a turn changed. */
  async undo(turnId: string): Promise<void> {
    const sessionId = await this.open();
    const { connection } = await this.daemon.ready();
    const done = await connection.request('session/undo', { sessionId, turnId });
    const lines = [
      ...done.restored.map((path) => `Put back: ${path}`),
      ...done.conflicts.map((c) => `Left alone: ${c.path}: ${c.reason}`),
    ];
    this.say(done.conflicts.length > 0 ? 'warning' : 'info', lines.join('\n') || 'There was nothing to put back.');
  }

  /** Changes mode or model. */
  async configure(change: { mode?: ModeInfo['id']; model?: string }): Promise<void> {
    const sessionId = await this.open();
    const { connection } = await this.daemon.ready();
    const now = await connection.request('session/configure', { sessionId, ...change });
    if (this.facts) {
      this.facts = { ...this.facts, ...now };
    }
    this.states.fire();
  }

  /** Starts anew: the session is closed, the transcript emptied. */
  async reset(): Promise<void> {
    const { sessionId } = this;
    this.forget();
    this.transcript.clear();
    this.plan = [];
    this.usage = undefined;
    this.last = undefined;
    this.resets.fire();
    this.states.fire();
    if (sessionId !== undefined) {
      await this.daemon.connection?.request('session/close', { sessionId });
    }
  }

  /** Adds a line of our own to the conversation. */
  say(level: 'info' | 'warning' | 'error', text: string, actions?: NoticeAction[]): void {
    this.emit(this.transcript.put({ kind: 'notice', id: this.transcript.nextId('notice'), level, text, actions }));
  }

  /** Tells the view about changes of the transcript. */
  emit(changes: ItemChange[]): void {
    if (changes.length > 0) {
      this.changes.fire(changes);
    }
  }

  dispose(): void {
    this.subscriptions.forEach((s) => void s.dispose());
    this.changes.dispose();
    this.states.dispose();
    this.resets.dispose();
  }

  private async create(): Promise<string> {
    const { connection, info } = await this.daemon.ready();
    const options = this.options();
    const made = await connection.request('session/new', options);
    this.sessionId = made.sessionId;
    this.transcript.nextSession();
    this.folder = options.cwd;
    this.facts = made;
    this.commands = info.capabilities.commands;
    this.states.fire();
    return made.sessionId;
  }

  private onUpdate(u: Update): void {
    if (u.sessionId !== this.sessionId) {
      return;
    }
    this.turnId = u.turnId ?? this.turnId;
    const event = u.update;
    switch (event.type) {
      case 'plan':
        this.plan = event.entries;
        break;
      case 'usage':
        this.usage = { request: event.request, session: event.session };
        break;
      case 'commands':
        this.commands = event.commands;
        break;
      case 'state':
        // The turn is over for us only with the reply to its prompt.
        this.activity = event.state === 'idle' ? this.activity : event.state;
        break;
      default:
        if (event.type === 'tool_call') {
          event.changes?.forEach((c) => this.changed.add(c.path));
        }
        this.emit(this.transcript.apply(event));
        return;
    }
    this.states.fire();
  }

  private onDaemonEnd(why: string): void {
    const had = this.sessionId !== undefined;
    const retry: NoticeAction[] = this.busy || this.interrupted ? [{ label: 'Try again', action: 'retry' }] : [];
    this.forget();
    this.interrupted = false;
    if (had) {
      this.emit(this.transcript.abandon('agentd has ended'));
    }
    if (had && why) {
      this.say('error', `${why}. It is started again; the model does not remember what was said before.`, [...retry, { label: 'Show log', action: 'showLog' }]);
    }
    this.states.fire();
  }

  private forget(): void {
    this.sessionId = undefined;
    this.turnId = undefined;
    this.changed.clear();
  }
}
