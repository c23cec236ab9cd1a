// The daemon as a child process. Its stdin is its life line: when it is closed,
// by us or by the end of the extension host, agentd ends within two seconds.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** What a daemon is started with. */
export interface Launch {
  binary: string;
  args: string[];
  /** Added to the environment; undefined removes a variable. */
  env: Record<string, string | undefined>;
}

/** How a process ended, in words for the log. */
export type Ending = { expected: boolean; text: string };

/** A running agentd. */
export class DaemonProcess {
  readonly stdout: Readable;
  readonly stdin: Writable;
  /** How it ended, once it has. */
  readonly ended: Promise<Ending>;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private stopping = false;

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, ended: Promise<Ending>) {
    this.child = child;
    this.ended = ended;
    this.stdout = child.stdout;
    this.stdin = child.stdin;
  }

  /** Starts the binary; onEnd is called once, when the process is gone. */
  static start(launch: Launch, onLog: (line: string) => void, onEnd: (ending: Ending) => void): DaemonProcess {
    const child = spawn(launch.binary, launch.args, {
      env: { ...process.env, ...launch.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let tell: (ending: Ending) => void = () => undefined;
    const running = new DaemonProcess(child, new Promise((done) => {
      tell = done;
    }));
    let over = false;
    const end = (text: string): void => {
      if (!over) {
        over = true;
        const ending = { expected: running.stopping, text };
        tell(ending);
        onEnd(ending);
      }
    };
    child.stdin.on('error', () => undefined); // a broken pipe is told by the end of the process
    child.stderr.setEncoding('utf8');
    let rest = '';
    child.stderr.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLog);
    });
    child.on('error', (error) => end(`could not be started: ${error.message}`));
    child.on('close', (code, signal) => {
      if (rest) {
        onLog(rest);
      }
      end(signal ? `was ended by ${signal}` : `ended with code ${String(code)}`);
    });
    return running;
  }

  /** The process id, while there is one. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Ends the daemon by closing its stdin; one that does not go is killed. */
  stop(): void {
    this.stopping = true;
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 4000);
    timer.unref();
    this.child.once('close', () => clearTimeout(timer));
  }
}
