// The npm package vscode-jsonrpc, which VS Code's language clients use, drives
// the binary: initialize, prompt, answer ui/confirm, cancel, shutdown.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import rpc from 'vscode-jsonrpc/node.js';

const here = dirname(fileURLToPath(import.meta.url));
const agentd = process.env.AGENTD ?? join(here, '../../bin/agentd');

test('vscode-jsonrpc drives agentd', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentd-interop-'));
  const file = join(dir, 'a.txt');
  writeFileSync(file, 'one\n');
  const child = spawn(agentd, ['--state-dir', join(dir, 'state')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const conn = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));

  let text = '';
  const statuses = [];
  conn.onNotification('session/update', ({ update }) => {
    if (update.type === 'message_delta') text += update.text;
    if (update.type === 'tool_call') statuses.push(`${update.tool} ${update.status}`);
  });
  let confirmed = [];
  let cancelledToken;
  let asked;
  conn.onRequest('ui/confirm', (params, token) => {
    confirmed.push(params);
    if (confirmed.length === 1) return { decision: 'allow' };
    // The second one is left open until the daemon cancels it.
    cancelledToken = token;
    asked();
    return new Promise((resolve) => token.onCancellationRequested(() => resolve({ decision: 'allow' })));
  });
  conn.listen();

  const init = await conn.sendRequest('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'interop' },
    processId: process.pid,
    capabilities: { confirm: { hunks: true, editContent: true } },
  });
  assert.equal(init.protocolVersion, 1);
  await conn.sendNotification('initialized', {});
  const { sessionId, tools } = await conn.sendRequest('session/new', { cwd: dir, model: `replay:${join(here, 'replay.jsonl')}` });
  assert.ok(tools.some((t) => t.name === 'edit_file'));

  const prompt = [{ type: 'text', text: 'Put it into German.' }];
  const first = await conn.sendRequest('session/prompt', { sessionId, prompt });
  assert.equal(first.stopReason, 'end_turn');
  assert.equal(text, 'I look at the file.Done.');
  assert.equal(confirmed[0].changes[0].newText, 'eins\n');
  assert.equal(readFileSync(file, 'utf8'), 'eins\n');
  assert.ok(statuses.includes('edit_file completed'));

  const open = new Promise((resolve) => { asked = resolve; });
  const source = new rpc.CancellationTokenSource();
  const second = conn.sendRequest('session/prompt', { sessionId, prompt }, source.token);
  await open;
  source.cancel();
  assert.equal((await second).stopReason, 'cancelled');
  assert.ok(cancelledToken.isCancellationRequested);
  assert.equal(readFileSync(file, 'utf8'), 'eins\n');

  await assert.rejects(conn.sendRequest('session/cancel', { sessionId: 'nope' }), (e) => e.code === 1001);
  await conn.sendRequest('shutdown');
  await conn.sendNotification('exit');
  assert.equal(await exited, 0);
  conn.dispose();
});
