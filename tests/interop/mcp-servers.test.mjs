// MCP servers that others wrote: their reference servers, as programs, behind
// streamable HTTP and behind the SSE of old servers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import rpc from 'vscode-jsonrpc/node.js';

const here = dirname(fileURLToPath(import.meta.url));
const agentd = process.env.AGENTD ?? join(here, '../../bin/agentd');
const program = (name) => join(here, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');

/** A replay: each list of calls is one answer of the model's, the last one is text. */
function replay(...answers) {
  let n = 0;
  const lines = [{ agentd: 'replay', version: 1, name: 'mcp' }];
  for (const calls of answers) {
    lines.push({ request: {} });
    for (const [name, args] of calls) lines.push({ call: { id: `c${++n}`, name, arguments: args } });
    lines.push({ finish: 'tool_calls' });
  }
  lines.push({ request: {} }, { text: 'Done.' }, { finish: 'stop' });
  return lines.map((l) => JSON.stringify(l)).join('\n') + '\n';
}

/** Runs one prompt with servers, and gives the ends of the calls by tool. */
async function run(dir, mcpServers, script) {
  writeFileSync(join(dir, 'script.jsonl'), script);
  const child = spawn(agentd, ['--state-dir', join(dir, 'state')], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, XDG_CONFIG_HOME: join(dir, 'config') } });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const conn = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  const ends = {};
  const output = {};
  const notices = [];
  conn.onNotification('session/update', ({ update }) => {
    if (update.type === 'tool_call' && ['completed', 'failed'].includes(update.status)) ends[update.tool] = update;
    if (update.type === 'tool_output_delta') output[update.toolCallId] = (output[update.toolCallId] ?? '') + update.text;
    if (update.type === 'notice') notices.push(update.message);
  });
  conn.onRequest('ui/confirm', () => ({ decision: 'allow' }));
  conn.listen();
  await conn.sendRequest('initialize', { protocolVersion: 1, clientInfo: { name: 'interop' }, processId: process.pid, capabilities: { confirm: {} } });
  await conn.sendNotification('initialized', {});
  const ws = join(dir, 'ws');
  const { sessionId } = await conn.sendRequest('session/new', { cwd: ws, model: `replay:${join(dir, 'script.jsonl')}`, mcpServers });
  const end = await conn.sendRequest('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  assert.equal(end.stopReason, 'end_turn', JSON.stringify(notices));
  const { servers } = await conn.sendRequest('mcp/list', { sessionId });
  await conn.sendRequest('shutdown');
  await conn.sendNotification('exit');
  assert.equal(await exited, 0);
  conn.dispose();
  return { ends, output, servers, notices };
}

function workspace() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentd-mcp-')));
  for (const sub of ['ws', 'config']) mkdirSync(join(dir, sub));
  return dir;
}

const everything = [
  [['mcp__e__echo', { message: 'hello' }], ['mcp__e__get-sum', { a: '2', b: 3 }]],
  [['mcp__e__get-tiny-image', {}], ['mcp__e__get-structured-content', { location: 'New York' }], ['mcp__e__get-resource-links', { count: 2 }]],
  [['mcp__e__trigger-long-running-operation', { duration: 1, steps: 3 }], ['mcp__e__get-roots-list', {}]],
];

function checkEverything({ ends, output, servers }) {
  assert.equal(servers[0].state, 'ready');
  assert.match(ends['mcp__e__echo'].text, /Echo: hello/);
  assert.match(ends['mcp__e__get-sum'].text, /is 5/);
  assert.match(ends['mcp__e__get-tiny-image'].text, /an image/);
  assert.match(ends['mcp__e__get-structured-content'].text, /temperature/);
  assert.match(ends['mcp__e__get-resource-links'].text, /resource .*:\/\//);
  assert.match(ends['mcp__e__trigger-long-running-operation'].text, /completed/);
  assert.match(ends['mcp__e__get-roots-list'].text, /file:\/\/.*\/ws\b/);
  assert.match(Object.values(output).join(''), /of 3/);
  assert.ok(servers[0].prompts.length > 0 && servers[0].resources.length > 0);
}

test('server-everything as a program', async () => {
  checkEverything(await run(workspace(), [{ name: 'e', command: process.execPath, args: [program('server-everything')], env: [] }], replay(...everything)));
});

async function freePort() {
  const s = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => s.once('listening', resolve));
  const { port } = s.address();
  await new Promise((resolve) => s.close(resolve));
  return port;
}

// The last one is an old server of which nobody has said that it is one.
for (const [transport, path, type] of [['streamableHttp', '/mcp', 'http'], ['sse', '/sse', 'sse'], ['sse', '/sse', 'http']]) {
  test(`server-everything behind ${transport}, as ${type}`, async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [program('server-everything'), transport], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      await new Promise((resolve, reject) => {
        server.stderr.on('data', (b) => { if (/listening|running|port/i.test(String(b))) resolve(); });
        server.once('exit', () => reject(new Error('the server has ended')));
      });
      checkEverything(await run(workspace(), [{ type, name: 'e', url: `http://127.0.0.1:${port}${path}`, headers: [] }], replay(...everything)));
    } finally {
      server.kill('SIGKILL');
    }
  });
}

test('server-filesystem works in the folder of the session', async () => {
  const dir = workspace();
  writeFileSync(join(dir, 'ws/a.txt'), 'what a says\n');
  const { ends } = await run(dir, [{ name: 'fs', command: process.execPath, args: [program('server-filesystem'), dir] }], replay(
    [['mcp__fs__list_allowed_directories', {}], ['mcp__fs__read_text_file', { path: join(dir, 'ws/a.txt') }]],
    [['mcp__fs__write_file', { path: join(dir, 'ws/b.txt'), content: 'made by a server\n' }], ['mcp__fs__read_text_file', { path: '/etc/passwd' }]],
  ));
  assert.ok(ends['mcp__fs__list_allowed_directories'].text.includes(dir));
  assert.equal(readFileSync(join(dir, 'ws/b.txt'), 'utf8'), 'made by a server\n');
  assert.equal(ends['mcp__fs__read_text_file'].status, 'failed');
  assert.match(ends['mcp__fs__read_text_file'].text, /Access denied/);
});
