// The conversation of this window: one session of the daemon, its transcript
// and what it is doing. The chat shows it, commands act on it.
import * as vscode from 'vscode';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import type { FileChange, ModeInfo, PromptResult, ServerStatus, Undone, Update } from '../protocol';
import type { Daemon, Ended } from '../daemon/daemon';
import type { NoticeAction } from '../shared/items';
import { isTask } from './happenings';
import { openSession, type Opened, type Target } from './opening';
import type { SessionChoice } from './options';
import { blocksOf, type Prompt } from './prompt';
import type { LastSession } from './remember';
import { endItem } from './turnend';
import { Waiting, type Wire } from './waiting';

/** The conversation and the session behind it. */
export class Conversation extends Waiting {
  /** The folder that the session works in. */
  folder = '';
  /** All folders that it may work in. */
  folders: string[] = [];

  /** Counts the conversations: what belongs to one before must not go on. */
  private era = 0;
  private sessionId: string | undefined;
  private opening: Promise<string> | undefined;
  /** The stored session to open next, in place of a new one. */
  private target: Target | undefined;
  /** The connection broke while a turn ran; how the process ended is heard a moment later. */
  private interrupted = false;
  private readonly resets = new vscode.EventEmitter<void>();
  private readonly written = new vscode.EventEmitter<FileChange[]>();
  private readonly subscriptions: vscode.Disposable[];

  /** The conversation starts anew, or is another one. */
  readonly onReset = this.resets.event;
  /** Files were changed, just now. */
  readonly onWritten = this.written.event;

  constructor(
    private readonly daemon: Daemon,
    private readonly options: () => SessionChoice,
    private readonly last: LastSession,
  ) {
    super();
    this.subscriptions = [daemon.onUpdate((u) => this.onUpdate(u)), daemon.onEnd((ended) => this.onDaemonEnd(ended))];
  }

  /** The id of the session, if there is one. */
  get id(): string | undefined {
    return this.sessionId;
  }

  protected override get wire(): Wire | undefined {
    const { connection } = this.daemon;
    return connection && this.sessionId !== undefined ? { connection, sessionId: this.sessionId } : undefined;
  }

  /** Opens the session if none is open yet; fails with the daemon's reason. */
  async open(): Promise<string> {
    if (this.sessionId !== undefined) {
      return this.sessionId;
    }
    this.opening ??= this.create().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Opens a stored session in place of this one, which stays if that fails. */
  async resume(id: string, folder: string): Promise<void> {
    if (id === this.sessionId) {
      return;
    }
    const { era } = this;
    const target = { id, folder };
    const opened = await openSession(this.daemon, this.options(), target);
    if (era !== this.era) {
      return this.close(id); // something else was opened meanwhile
    }
    const before = this.sessionId;
    this.empty();
    this.adopt(opened, target);
    await this.close(before);
  }

  /** Sends a message and what waits behind it. */
  async send(prompt: Prompt): Promise<void> {
    if (this.busy) {
      throw new Error('The agent is at work: wait, or stop it first.');
    }
    const { era } = this;
    for (let next: Prompt | undefined = prompt; next && era === this.era; next = this.pending.next()) {
      const result = await this.turn(next);
      if (result?.stopReason !== 'end_turn' && era === this.era) {
        this.giveBack();
      }
    }
  }

  /** Cancels the running turn; what waits is given back. */
  async stop(): Promise<void> {
    this.giveBack(false);
    const { wire } = this;
    if (wire && this.busy) {
      await wire.connection.request('session/cancel', { sessionId: wire.sessionId, turnId: this.turnId });
    }
  }

  /** Puts the files back that a turn changed. */
  async undo(turnId: string): Promise<Undone> {
    const sessionId = await this.open();
    const { connection } = await this.daemon.ready();
    return connection.request('session/undo', { sessionId, turnId });
  }

  /** Changes mode or model. */
  async configure(change: { mode?: ModeInfo['id']; model?: string }): Promise<void> {
    const sessionId = await this.open();
    const { connection } = await this.daemon.ready();
    this.setFacts(await connection.request('session/configure', { sessionId, ...change }));
  }

  /** How the MCP servers of the session are. */
  async servers(): Promise<ServerStatus[]> {
    const sessionId = await this.open();
    const { connection } = await this.daemon.ready();
    return (await connection.request('mcp/list', { sessionId })).servers;
  }

  /** Starts an MCP server anew. */
  async restartServer(name: string): Promise<void> {
    const sessionId = await this.open();
    const { connection } = await this.daemon.ready();
    await connection.request('mcp/restart', { sessionId, name });
  }

  /** Starts anew: the session is closed, the transcript emptied. */
  async reset(): Promise<void> {
    const { sessionId } = this;
    this.last.set(undefined);
    this.empty();
    this.resets.fire();
    this.changedState();
    await this.close(sessionId);
  }

  /** Opens the same session again, with what holds for it now. */
  async reopen(mode?: ModeInfo['id']): Promise<void> {
    const { sessionId, folder } = this;
    if (sessionId !== undefined) {
      this.sessionId = undefined;
      this.target = { id: sessionId, folder, shown: true, guess: true, mode };
      await this.close(sessionId);
    }
  }

  /** After the daemon was restarted the session is to have another model. */
  changeModel(model: string | undefined): void {
    if (this.target) {
      this.target.model = model;
    }
  }

  override dispose(): void {
    super.dispose();
    for (const one of [...this.subscriptions, this.resets, this.written]) {
      one.dispose();
    }
  }

  private async turn(prompt: Prompt): Promise<PromptResult | undefined> {
    const { era } = this;
    this.begin(prompt);
    let result: PromptResult | undefined;
    let sessionId: string | undefined;
    try {
      sessionId = await this.open();
      const { connection } = await this.daemon.ready();
      result = await connection.request('session/prompt', { sessionId, prompt: blocksOf(prompt) });
    } catch (error) {
      if (era !== this.era) {
        return undefined;
      }
      const gone = error instanceof ResponseError && error.code === ErrorCodes.PendingResponseRejected;
      if (gone && sessionId !== undefined) {
        this.interrupted = this.sessionId !== undefined; // the daemon is gone: onDaemonEnd says so
        this.end();
        return undefined;
      }
      this.say('error', gone ? 'agentd ended before it had the message.' : error instanceof Error ? error.message : String(error), [{ label: 'Try again', action: 'retry' }, { label: 'Show log', action: 'showLog' }]);
    }
    if (era !== this.era) {
      return undefined;
    }
    this.emit(result?.error ? this.transcript.unsay(result.error.message) : []);
    this.end(result && endItem(this.transcript.nextId('end'), result, this.changedFiles()));
    return result;
  }

  private async create(): Promise<string> {
    const options = this.options();
    this.target ??= this.remembered();
    const { target, era } = this;
    const opened = await openSession(this.daemon, options, target).catch((error: unknown) => {
      if (target && target === this.target) {
        this.last.set(undefined); // if it was the session that ended the daemon, the next window is free of it
        this.target = target.shown ? target : undefined;
      }
      throw error;
    });
    if (era !== this.era) {
      void this.close(opened.made.sessionId);
      return this.create();
    }
    this.target = undefined;
    if (opened.problem !== undefined && target?.shown && this.title) {
      this.say('warning', `The chat could not be taken up again: ${opened.problem}. The model does not remember what was said before.`);
    }
    const id = this.adopt(opened, target);
    if (opened.problem !== undefined && !target?.shown) {
      this.say('info', `The last chat could not be opened: ${opened.problem}. This is a new one.`, [{ label: 'All chats', action: 'chats' }]);
    }
    return id;
  }

  /** The session that the window had before it was loaded anew; its folders may be told late. */
  private remembered(): Target | undefined {
    const before = this.transcript.items.length === 0 ? this.last.get() : undefined;
    return before && { ...before, guess: true };
  }

  /** Takes over a session that was opened. */
  private adopt({ made, updates, loaded }: Opened, target: Target | undefined): string {
    const shown = target?.shown && loaded;
    this.sessionId = made.sessionId;
    const { cwd, roots = [] } = this.options();
    this.folder = (loaded ? target?.folder : undefined) ?? cwd;
    this.folders = [...new Set([this.folder, cwd, ...roots])];
    this.facts = made;
    this.title = made.title ?? '';
    this.commands = made.commands;
    this.transcript.nextSession();
    if (!shown) {
      this.replay(updates);
    }
    if (loaded && !shown) {
      this.last.set({ id: made.sessionId, folder: this.folder });
      this.resets.fire();
    }
    this.changedState();
    return made.sessionId;
  }

  private onUpdate(u: Update): void {
    if (u.sessionId !== this.sessionId || isTask(u)) {
      return;
    }
    const event = u.update;
    switch (event.type) {
      case 'user_message':
        if (this.title !== '') {
          this.last.set({ id: u.sessionId, folder: this.folder }); // it is stored from its first message on; a slash command is none
        }
        this.heard(event, u.turnId, event.messageId.endsWith('-user') ? undefined : this.pending.delivered());
        return;
      case 'notice':
        if (event.kind === 'not_delivered' && this.pending.size > 0) {
          this.pending.refused();
          this.changedState();
          return;
        }
        break;
      case 'tool_call':
        if (event.status === 'completed' && event.changes) {
          this.written.fire(event.changes);
        }
        break;
    }
    this.happened(u);
  }

  private onDaemonEnd({ why, again }: Ended): void {
    const retry: NoticeAction[] = this.busy || this.interrupted ? [{ label: 'Try again', action: 'retry' }] : [];
    const { sessionId } = this;
    this.interrupted = false;
    this.sessionId = undefined;
    if (sessionId === undefined) {
      return;
    }
    this.target = { id: sessionId, folder: this.folder, shown: true, guess: true };
    this.emit(this.transcript.abandon('agentd has ended'));
    if (why) {
      this.say('error', `${why}. ${again ? 'It is started again, and the chat goes on.' : 'It has ended too often to be started again by itself.'}`, [...(again ? retry : [{ label: 'Start again', action: 'restart' } as const]), { label: 'Show log', action: 'showLog' }]);
    } else if (retry.length > 0) {
      this.say('info', 'agentd was started again while the agent was at work.', retry);
    }
    this.changedState();
  }

  private async close(sessionId: string | undefined): Promise<void> {
    if (sessionId !== undefined) {
      await this.daemon.connection?.request('session/close', { sessionId });
    }
  }

  private empty(): void {
    this.era += 1;
    this.sessionId = undefined;
    this.target = undefined;
    this.pending.drain(true);
    this.clear();
  }
}

