// The client of the official TypeScript SDK drives `agentd acp`: prompt, stream,
// allow, reject, cancel while a question is open, load, elicitation.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import * as acp from '@agentclientprotocol/sdk';
import { modelEnvironment, startModel } from './fakemodel.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const agentd = process.env.AGENTD ?? join(here, '../../bin/agentd');

// connect starts agentd and gives the connection and what the client has seen.
function connect(env, answers) {
  const child = spawn(agentd, ['acp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const seen = { updates: [], permissions: [], forms: [] };
  const app = acp.client()
    .onNotification('session/update', ({ params }) => { seen.updates.push(params.update); })
    .onRequest('session/request_permission', (request) => {
      seen.permissions.push(request.params);
      return answers.permission(request.params, request);
    })
    .onRequest('elicitation/create', ({ params }) => {
      seen.forms.push(params);
      return answers.form(params);
    });
  const connection = app.connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  return { child, seen, agent: connection.agent, exited: once(child, 'exit') };
}

const initialize = { protocolVersion: acp.PROTOCOL_VERSION, clientInfo: { name: 'interop', version: '1' }, clientCapabilities: { elicitation: { form: {} } } };

test('the TypeScript SDK drives agentd acp', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentd-acp-'));
  const ws = join(dir, 'ws');
  mkdirSync(ws);
  const file = join(ws, 'a.txt');
  writeFileSync(file, 'one\n');
  const model = await startModel('acp-script.txt');
  const env = modelEnvironment(model, dir);
  let cancelled;
  const choices = ['allow_once', 'reject_once'];
  const answers = {
    permission: ({ options }, request) => {
      const kind = choices.shift();
      if (kind) return { outcome: { outcome: 'selected', optionId: options.find((o) => o.kind === kind).optionId } };
      // The third stays open until the turn is cancelled.
      cancelled?.();
      return new Promise((resolve) => {
        const signal = request.signal;
        signal?.addEventListener('abort', () => resolve({ outcome: { outcome: 'cancelled' } }));
      });
    },
    form: ({ requestedSchema }) => {
      assert.deepEqual(requestedSchema.properties.q1.oneOf.map((o) => o.title), ['Ann', 'Bob']);
      return { action: 'accept', content: { q1: 'o2' } };
    },
  };
  const one = connect(env, answers);
  const init = await one.agent.request('initialize', initialize);
  assert.equal(init.protocolVersion, 1);
  assert.equal(init.agentInfo.name, 'agentd');
  const { sessionId, modes, configOptions } = await one.agent.request('session/new', { cwd: ws, mcpServers: [] });
  assert.equal(modes.currentModeId, 'ask');
  assert.deepEqual(configOptions.map((o) => o.category), ['mode', 'model', 'thought_level']);
  const prompt = (text) => one.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

  assert.equal((await prompt('first')).stopReason, 'end_turn');
  const said = one.seen.updates.filter((u) => u.sessionUpdate === 'agent_message_chunk').map((u) => u.content.text).join('');
  assert.equal(said, 'I look at the file.Now I change it, piece by piece.Done.');
  assert.equal(readFileSync(file, 'utf8'), 'eins\n');
  assert.deepEqual(one.seen.permissions[0].toolCall.content, [{ type: 'diff', path: file, oldText: 'one\n', newText: 'eins\n' }]);
  const ends = one.seen.updates.filter((u) => u.status === 'completed' || u.status === 'failed').map((u) => `${u.toolCallId} ${u.status}`);
  assert.deepEqual(ends, ['c1 completed', 'c2 completed', 'c3 failed']);

  const open = new Promise((resolve) => { cancelled = resolve; });
  const second = prompt('second');
  await open;
  await one.agent.notify('session/cancel', { sessionId });
  assert.equal((await second).stopReason, 'cancelled');
  assert.equal(readFileSync(file, 'utf8'), 'eins\n');

  assert.equal((await prompt('which name')).stopReason, 'end_turn');
  assert.equal(one.seen.forms.length, 1);
  await assert.rejects(one.agent.request('session/prompt', { sessionId: 'nope', prompt: [] }), (e) => e.code === -32002);
  one.child.stdin.end();
  assert.deepEqual(await one.exited, [0, null]);

  // Another process loads it, and is told all of it before the reply.
  const two = connect(env, answers);
  await two.agent.request('initialize', initialize);
  const { sessions } = await two.agent.request('session/list', { cwd: ws });
  assert.deepEqual(sessions.map((s) => s.sessionId), [sessionId]);
  await two.agent.request('session/load', { sessionId, cwd: ws, mcpServers: [] });
  const told = two.seen.updates.filter((u) => u.sessionUpdate.endsWith('message_chunk')).map((u) => u.content.text).join('|');
  assert.match(told, /^first\|I look at the file\./);
  assert.match(told, /Bob it is\./);
  const third = await two.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'more' }] });
  assert.equal(third.stopReason, 'end_turn');
  two.child.stdin.end();
  await two.exited;
  assert.equal(await model.close(), 0);
});
