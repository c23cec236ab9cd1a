// The processes of a test run: the VS Code server and the fake model.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

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
  await execute('go', ['build', '-o', binary, './tests/fakemodel/cmd'], { cwd: repository });
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
  /** What it has printed. */
  printed: () => string;
  stop: () => Promise<void>;
}

/** The folder of the VS Code server; what is missing is installed. */
export async function serverFolder(): Promise<string> {
  return process.env['VSCODE_SERVER'] ?? (await execute(join(extensionFolder, 'scripts', 'vscode.sh'))).stdout.trim();
}

/** Starts a VS Code server with the extension in it, and nothing of the user's. */
export async function startServer(settings: Record<string, unknown>, vsix: string, trust = false): Promise<Server> {
  const folder = await serverFolder();
  const main = join(folder, 'out', 'server-main.js');
  const data = mkdtempSync(join(tmpdir(), 'agentd-vscode-'));
  writeSettings(data, settings);
  linkExtensions(join(folder, 'extensions'), join(data, 'builtin'));
  const flags = ['--accept-server-license-terms', '--server-data-dir', data, '--user-data-dir', join(data, 'ud'), '--extensions-dir', join(data, 'extensions'), '--builtin-extensions-dir', join(data, 'builtin')];
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: join(data, 'home'), XDG_CONFIG_HOME: join(data, 'home', 'config'), XDG_STATE_HOME: join(data, 'home', 'state') };
  for (const name of ['OPENAI_API_KEY', 'MODEL_API_KEY', 'BASE_URL', 'OPENAI_BASE_URL', 'MODEL']) {
    delete env[name];
  }
  await execute(process.execPath, [main, ...flags, '--install-extension', vsix, '--force'], { env });
  // Port 0: the system gives one that nobody else has.
  const child = spawn(process.execPath, [main, ...flags, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--telemetry-level', 'off', ...(trust ? [] : ['--disable-workspace-trust'])], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const port = await new Promise<number>((done, fail) => {
    const hear = (b: Buffer): void => {
      printed = (printed + b.toString()).slice(-100_000);
      const at = /bound to 127\.0\.0\.1:(\d+)[^]*agent listening/.exec(printed)?.[1];
      if (at !== undefined) {
        done(Number(at));
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => fail(new Error(`the VS Code server did not start: ${printed}`)));
  });
  return {
    port, data,
    printed: () => printed,
    stop: async () => {
      await end(child);
      remove(data);
    },
  };
}

/** The built-in extensions that the tests need; all of them would take a second of every window. */
const needed = ['configuration-editing', 'git', 'git-base', 'go', 'json', 'json-language-features', 'markdown-basics', 'python', 'theme-defaults', 'theme-seti', 'node_modules'];

function linkExtensions(from: string, to: string): void {
  mkdirSync(to);
  needed.forEach((name) => symlinkSync(join(from, name), join(to, name)));
}

/** Settings of the machine have a file of their own; in the user's they would not count. */
function writeSettings(data: string, settings: Record<string, unknown>): void {
  mkdirSync(join(data, 'home'));
  for (const place of ['User', 'Machine']) {
    mkdirSync(join(data, 'ud', place), { recursive: true });
    const mine = Object.entries(settings).filter(([name]) => name.startsWith('agentd.') === (place === 'Machine'));
    writeFileSync(join(data, 'ud', place, 'settings.json'), JSON.stringify(Object.fromEntries(mine)));
  }
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
