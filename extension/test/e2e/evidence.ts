// What is kept of a test that failed: a picture, what the chat and the page said,
// and the logs of the editor, the extension and the daemon.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extensionFolder, type Server } from './processes';
import type { Window } from './window';

const most = 200_000;
const printedLines = 40;

/** The folder of what the tests leave behind. */
export const artifacts = join(extensionFolder, 'test', 'artifacts');

/** Keeps everything about a failed test, and prints what says the most. */
export async function keepEvidence(name: string, w: Window, server: Server, sinceMs: number): Promise<void> {
  const folder = join(artifacts, `failed ${name.replace(/[^\w ,-]/g, '_').slice(0, 60)}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const keep = (file: string, text: string): void => writeFileSync(join(folder, file), text.slice(-most));
  await w.page.screenshot({ path: join(folder, 'window.png') }).catch((e: unknown) => keep('no-picture.txt', String(e)));
  const chat = await w.chat.locator('body').innerText({ timeout: 2000 }).catch(() => 'there is no chat');
  keep('chat.txt', chat);
  keep('console.txt', w.said.join('\n'));
  keep('server.txt', server.printed());
  let agentd = '';
  for (const file of logs(join(server.data, 'ud', 'logs'), sinceMs)) {
    const text = readFileSync(file, 'utf8');
    keep(file.slice(server.data.length + 1).replace(/[\\/]/g, '_'), text);
    agentd += basename(file) === 'agentd.log' ? text : '';
  }
  console.error([
    `== ${name}: kept in ${folder}`,
    `-- the chat said: ${chat.replace(/\n+/g, ' | ').slice(-2000)}`,
    '-- the extension and the daemon logged:', ...agentd.trimEnd().split('\n').slice(-printedLines),
    '-- the page said:', ...w.said.filter((line) => line.startsWith('error')).slice(-8).map((line) => line.slice(0, 200)),
  ].join('\n'));
}

/** The logs that were written to since then. */
function logs(folder: string, sinceMs: number): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).mtimeMs >= sinceMs);
}
