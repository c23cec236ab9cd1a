// The processes of a test run: the VS Code server and the fake model.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The folder of the extension; the tests run in it. */
export const extensionFolder = process.cwd();
const repository = resolve(extensionFolder, '..');

/** A fake model that plays a script. */
export interface Model {
  url: string;
  /** Ends it and gives what was wrong with the requests. */
  stop: () => Promise<string>;
}

/** Starts the fake model. */
export async function startModel(script: string): Promise<Model> {
  const folder = mkdtempSync(join(tmpdir(), 'agentd-model-'));
  const file = join(folder, 'script');
  const binary = join(folder, 'fakemodel');
  writeFileSync(file, script);
  execFileSync('go', ['build', '-o', binary, './tests/fakemodel/cmd'], { cwd: repository, stdio: 'inherit' });
  const child = spawn(binary, [file], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (b: Buffer) => { errors += b.toString(); });
  const url = await new Promise<string>((done, fail) => {
    child.stdout.once('data', (b: Buffer) => done(b.toString().trim()));
    child.once('exit', () => fail(new Error(`the fake model did not start: ${errors}`)));
  });
  return {
    url,
    stop: () => new Promise((done) => {
      child.once('close', () => {
        remove(folder);
        done(errors);
      });
      child.stdin.end();
    }),
  };
}

/** A running VS Code server. */
export interface Server {
  port: number;
  /** Its user data: settings, logs, state. */
  data: string;
  stop: () => Promise<void>;
}

/** Starts a VS Code server with the extension in it, and nothing of the user's. */
export async function startServer(settings: Record<string, unknown>, vsix: string, trust = false): Promise<Server> {
  const vscode = execFileSync(join(extensionFolder, 'scripts', 'vscode.sh'), { encoding: 'utf8' }).trim();
  const data = mkdtempSync(join(tmpdir(), 'agentd-vscode-'));
  const user = join(data, 'ud', 'User');
  mkdirSync(user, { recursive: true });
  mkdirSync(join(data, 'home'));
  // Settings of the machine have a place of their own; in the user's file they would not count.
  const machine = join(data, 'ud', 'Machine');
  mkdirSync(machine, { recursive: true });
  const of = (ours: boolean): string => JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('agentd.') === ours)));
  writeFileSync(join(user, 'settings.json'), of(false));
  writeFileSync(join(machine, 'settings.json'), of(true));
  const flags = ['--accept-server-license-terms', '--server-data-dir', data, '--user-data-dir', join(data, 'ud'), '--extensions-dir', join(data, 'extensions')];
  const main = join(vscode, 'out', 'server-main.js');
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: join(data, 'home'), XDG_CONFIG_HOME: join(data, 'home', 'config'), XDG_STATE_HOME: join(data, 'home', 'state') };
  for (const name of ['OPENAI_API_KEY', 'MODEL_API_KEY', 'BASE_URL', 'OPENAI_BASE_URL', 'MODEL']) {
    delete env[name];
  }
  execFileSync(process.execPath, [main, ...flags, '--install-extension', vsix, '--force'], { env, stdio: 'pipe' });
  const port = await freePort();
  const child = spawn(process.execPath, [main, ...flags, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--telemetry-level', 'off', ...(trust ? [] : ['--disable-workspace-trust'])], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  for (let i = 0; ; i += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/version`).then((r) => r.ok, () => false);
    if (up) {
      break;
    }
    if (i > 150 || child.exitCode !== null) {
      throw new Error('the VS Code server did not start');
    }
    await sleep(200);
  }
  return {
    port, data,
    stop: async () => {
      await end(child);
      remove(data);
    },
  };
}

/** Removes a temporary folder. One that a last process still writes into is left: no test fails for it. */
export function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  } catch {
    // it is in the system's folder for such things
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    await gone;
    clearTimeout(timer);
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
