// The life of the daemon: it is started when it is first needed, started again
// with back-off after a crash, and ended with the window.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { protocolVersion, type InitializeResult, type Update } from '../protocol';
import { Backoff } from './backoff';
import { Connection, type Handlers } from './connection';
import { DaemonProcess, type Ending, type Launch } from './process';

/** A daemon that has been greeted. */
export interface Running {
  connection: Connection;
  info: InitializeResult;
}

/** How the daemon has ended. */
export interface Ended {
  /** In words; '' if it was meant to. */
  why: string;
  /** It is started again by itself. */
  again: boolean;
}

/** What the daemon is doing. */
export type DaemonState = 'stopped' | 'starting' | 'running' | 'waiting' | 'failed';

/** Starts, watches and ends the one daemon of this window. */
export class Daemon implements vscode.Disposable {
  private readonly updates = new vscode.EventEmitter<Update>();
  private readonly states = new vscode.EventEmitter<DaemonState>();
  private readonly ends = new vscode.EventEmitter<Ended>();
  private readonly backoff = new Backoff();
  private process: DaemonProcess | undefined;
  private running: Promise<Running> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private current: Connection | undefined;
  private disposed = false;
  /** Counts the starts: one that was overtaken by a restart must not go on. */
  private generation = 0;
  private stateNow: DaemonState = 'stopped';

  /** What happens in sessions. */
  readonly onUpdate = this.updates.event;
  readonly onState = this.states.event;
  /** The daemon is gone, and all open sessions with it. */
  readonly onEnd = this.ends.event;

  constructor(
    private readonly launch: () => Promise<Launch>,
    private readonly handlers: Handlers,
    private readonly log: vscode.LogOutputChannel,
    private readonly version: string,
  ) {}

  /** What the daemon is doing now. */
  get state(): DaemonState {
    return this.stateNow;
  }

  /** The connection if there is one; nothing is started. */
  get connection(): Connection | undefined {
    return this.stateNow === 'running' ? this.current : undefined;
  }

  /** Starts the daemon if it does not run. */
  ready(): Promise<Running> {
    if (!this.running) {
      clearTimeout(this.timer);
      const attempt = this.start();
      this.running = attempt;
      attempt.catch(() => {
        if (this.running === attempt) {
          this.running = undefined;
        }
      });
    }
    return this.running;
  }

  /** Ends the daemon; it starts again when it is needed, with new settings. */
  restart(): void {
    this.backoff.reset();
    clearTimeout(this.timer);
    this.process?.stop();
    this.gone('', true);
    this.setState('stopped');
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.process?.stop();
    this.gone('', false);
    for (const emitter of [this.updates, this.states, this.ends]) {
      emitter.dispose();
    }
  }

  private async start(): Promise<Running> {
    this.setState('starting');
    this.generation += 1;
    const { generation } = this;
    try {
      const launch = await this.launch();
      if (generation !== this.generation || this.disposed) {
        throw new Error('agentd was restarted meanwhile');
      }
      this.log.info(`starting ${launch.binary} ${launch.args.join(' ')}`);
      const child: DaemonProcess = DaemonProcess.start(launch, (line) => this.logLine(line), (ending) => this.onExit(child, ending));
      this.process = child;
      const connection = new Connection(child.stdout, child.stdin, this.handlers, {
        'session/update': (u) => this.updates.fire(u),
        // The daemon writes its log to stderr, too, where it is taken from.
        'log/message': () => undefined,
      }, (message) => this.log.error(`connection: ${message}`));
      this.current = connection;
      const info = await this.greet(connection, child);
      if (info.protocolVersion !== protocolVersion) {
        child.stop();
        throw new Error(`This agentd speaks version ${info.protocolVersion} of the protocol, the extension version ${protocolVersion}. Update both.`);
      }
      connection.notify('initialized', {});
      this.log.info(`${info.serverInfo.name} ${info.serverInfo.version ?? ''} is ready (pid ${String(child.pid)})`);
      this.setState('running');
      return { connection, info };
    } catch (error) {
      if (generation === this.generation) {
        this.setState('failed');
      }
      throw error;
    }
  }

  private async greet(connection: Connection, child: DaemonProcess): Promise<InitializeResult> {
    try {
      return await connection.request('initialize', {
        protocolVersion,
        clientInfo: { name: 'vscode', version: this.version },
        processId: process.pid,
        capabilities: { confirm: { hunks: true, editContent: true }, askUser: true, buffers: true },
      });
    } catch (error) {
      // The wire breaks a moment before the process is gone; how that went says more.
      const ending = await Promise.race([child.ended, sleep(2000, undefined)]);
      throw ending ? new Error(`agentd ${ending.text} before it was ready`) : error;
    }
  }

  private onExit(child: DaemonProcess, ending: Ending): void {
    if (this.disposed) {
      return;
    }
    this.log.info(`agentd ${ending.text}`);
    if (child !== this.process || ending.expected) {
      return;
    }
    const delay = this.stateNow === 'running' ? this.backoff.crashed() : undefined;
    this.gone(`agentd ${ending.text}`, delay !== undefined);
    if (delay === undefined) {
      this.setState('failed');
      return;
    }
    this.setState('waiting');
    this.log.warn(`starting agentd again in ${delay} ms`);
    this.timer = setTimeout(() => void this.ready().catch((e: unknown) => this.log.error(String(e))), delay);
  }

  private gone(why: string, again: boolean): void {
    const had = this.running !== undefined;
    this.generation += 1;
    this.process = undefined;
    this.running = undefined;
    this.current?.close();
    this.current = undefined;
    if (had && !this.disposed) {
      this.ends.fire({ why, again });
    }
  }

  private logLine(line: string): void {
    if (this.disposed) {
      return;
    }
    const level = /\blevel=(\w+)/.exec(line)?.[1];
    if (level === 'ERROR') {
      this.log.error(line);
    } else if (level === 'WARN') {
      this.log.warn(line);
    } else {
      this.log.info(line);
    }
  }

  private setState(state: DaemonState): void {
    this.stateNow = state;
    if (!this.disposed) {
      this.states.fire(state);
    }
  }
}
