// The program acpx drives `agentd acp`: prompt, stream, allow, reject, load in a
// new process, cancel in the middle of a reply and while a question is open. It
// needs a newer Node.js than the tests: the package node brings one. A part of
// acpx, fs-safe 0.12, is not there for every system: package.json puts 0.13.1 in
// its place. acpx asks its own questions on a terminal, which terminal.py plays. It
// has no forms on the command line, where a question of the model's is a
// permission, but in its library.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { modelEnvironment, startModel } from './fakemodel.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const agentd = resolve(process.env.AGENTD ?? join(here, '../../bin/agentd'));
const node = join(here, 'node_modules/node/bin/node');
const cli = join(here, 'node_modules/acpx/dist/cli.js');

test('acpx drives agentd acp', { timeout: 300_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentd-acpx-'));
  const ws = join(dir, 'ws');
  mkdirSync(ws);
  const file = join(ws, 'a.txt');
  writeFileSync(file, 'one\n');
  const model = await startModel('acpx-script.txt');
  const env = modelEnvironment(model, dir);

  // start starts acpx; wait(text) waits for its output, end() for its end.
  function start(args, terminal = false) {
    const line = [node, cli, '--agent', `${agentd} acp`, '--cwd', ws, ...args];
    const [program, rest] = terminal ? ['python3', [join(here, 'terminal.py'), ...line]] : [line[0], line.slice(1)];
    const child = spawn(program, rest, { env, cwd: ws, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    const more = (data) => { out += data; child.emit('more'); };
    child.stdout.on('data', more);
    child.stderr.on('data', more);
    const exited = once(child, 'close');
    return {
      child,
      async wait(text) {
        while (!out.includes(text)) {
          assert.equal(child.exitCode, null, `it ended without saying ${text}: ${out}`);
          await Promise.race([once(child, 'more'), exited]);
        }
      },
      async end() {
        if (!terminal) child.stdin.end();
        const [code] = await exited;
        return { code, out };
      },
    };
  }
  const run = async (...args) => {
    const r = await start(args).end();
    assert.equal(r.code, 0, r.out);
    return r.out;
  };

  const session = (await run('--format', 'quiet', 'sessions', 'new')).trim();
  assert.match(session, /^s-/);
  const lines = (await run('--approve-all', '--format', 'json', 'prompt', 'first')).split('\n').filter((l) => l.startsWith('{')).map((l) => JSON.parse(l));
  const updates = lines.filter((m) => m.method === 'session/update').map((m) => m.params.update);
  const text = updates.filter((u) => u.sessionUpdate === 'agent_message_chunk').map((u) => u.content.text).join('');
  assert.equal(text, 'I look at the file.Done.');
  assert.ok(updates.some((u) => u.toolCallId === 'c2' && u.status === 'completed'));
  assert.equal(readFileSync(file, 'utf8'), 'eins\n');

  const denied = await start(['--deny-all', 'prompt', 'second']).end();
  assert.match(denied.out, /Then not\./);
  assert.equal(readFileSync(file, 'utf8'), 'eins\n');

  // The process that holds the session ends; the next one loads it.
  const { pid } = JSON.parse(await run('--format', 'json', 'status'));
  process.kill(pid);
  while ((await run('--format', 'json', 'status')).includes(`"pid":${pid},`)) await sleep(200);
  assert.match(await run('prompt', 'third'), /I remember\./);

  const stalled = start(['prompt', 'fourth']);
  await stalled.wait('agent ');
  let cancelled = false;
  for (let i = 0; i < 50 && !cancelled; i++) {
    await sleep(200);
    cancelled = /cancel requested/i.test(await run('cancel'));
  }
  assert.ok(cancelled);
  assert.match((await stalled.end()).out, /cancelled/);

  // A program that allows everything answers no question for the person.
  assert.match(await run('--approve-all', 'prompt', 'which name'), /I decide\./);
  await run('sessions', 'close');

  const yes = start(['exec', 'write it'], true);
  await yes.wait('(y/N)');
  yes.child.stdin.write('y\n');
  const written = await yes.end();
  assert.equal(written.code, 0, written.out);
  assert.equal(readFileSync(join(ws, 'b.txt'), 'utf8'), 'b\n');

  const open = start(['exec', 'write another'], true);
  await open.wait('(y/N)');
  open.child.kill('SIGUSR1');
  assert.notEqual((await open.end()).code, 0);
  assert.ok(!existsSync(join(ws, 'c.txt')));
  assert.equal(await model.close(), 0);
});

test('acpx as a library drives agentd acp', { timeout: 120_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentd-acpx-'));
  const ws = join(dir, 'ws');
  mkdirSync(ws);
  const model = await startModel('acpx-library-script.txt');
  const child = spawn(node, [join(here, 'acpx-library.mjs'), agentd, ws], { env: modelEnvironment(model, dir), stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (data) => { out += data; });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out), {
    text: 'Bob it is.',
    forms: ['Which name?'],
    permissions: ['Create a.txt (2 bytes)', 'Create b.txt (2 bytes)'],
    ends: ['completed', 'cancelled'],
  });
  assert.ok(!existsSync(join(ws, 'a.txt')) && !existsSync(join(ws, 'b.txt')));
  assert.equal(await model.close(), 0);
});
