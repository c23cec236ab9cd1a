#!/usr/bin/env node
// A double of the daemon for the tests: it speaks the protocol, and what a prompt
// says decides what it does. It can do what the daemon would never do.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const state = dirname(process.argv[1]);
let cwd = '/';
let seq = 0;
let asked = 0;
const waiting = new Map();
const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
};
const update = (event, extra = {}) => {
  seq += 1;
  send({ method: 'session/update', params: { sessionId: 's-1', turnId: 't1', seq, update: event, ...extra } });
};
const say = (text) => update({ type: 'message_delta', messageId: `m${seq}`, text });
const ask = (method, params) => new Promise((done) => {
  asked += 1;
  waiting.set(asked, done);
  send({ id: asked, method, params });
});
const session = () => ({ sessionId: 's-1', model: 'double', models: [{ id: 'double' }], mode: told.mode ?? 'ask', modes: [{ id: 'ask', name: 'Ask', description: 'Ask' }, { id: 'plan', name: 'Plan', description: 'Plan' }], tools: [], commands: [] });

/** A change of a whole line, as the daemon describes it. */
const change = (name, oldText, newText, hunks) => ({
  uri: pathToFileURL(join(cwd, name)).toString(), path: name, op: oldText === '' ? 'create' : 'modify',
  base: oldText === '' ? { source: 'none' } : { source: 'disk', sha256: '0'.repeat(64) }, oldText, newText, hunks,
});

let told = {};

const plays = {
  async 'what was I told?'() {
    say(`trusted: ${told.trusted}, mode: ${told.mode}, enabled: ${told.enable?.length}`);
  },
  async 'three files'() {
    const answer = await ask('ui/confirm', {
      confirmId: 'c1', sessionId: 's-1', turnId: 't1', toolCallId: 'c1', tool: 'edit_file', level: 'sensitive', title: 'Edit three files',
      choices: ['allow', 'allowSession', 'reject', 'abort'], grants: [{ id: 'g', label: 'edits of these files' }],
      changes: [
        change('a.txt', 'one\ntwo\nthree\n', 'one\nzwei\nthree\n', [{ id: 'h1', oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, text: '-two\n+zwei\n' }]),
        change('ten.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n', 'eins\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nzehn\n', [
          { id: 'h2', oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, text: '-one\n+eins\n' },
          { id: 'h3', oldStart: 10, oldLines: 1, newStart: 10, newLines: 1, text: '-ten\n+zehn\n' },
        ]),
        change('new.txt', '', 'hello\n', [{ id: 'h4', oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, text: '+hello\n' }]),
      ],
    });
    writeFileSync(join(cwd, 'answer.json'), JSON.stringify(answer));
    say('I have your answer.');
  },
  async garbage() {
    process.stdout.write('Content-Length: 9\r\n\r\nno json!!');
    send({ method: 'no/such', params: { a: 1 } });
    send({ method: 'session/update', params: null });
    send({ method: 'session/update', params: { sessionId: 's-1', seq: 1, update: null } });
    for (const event of [{ type: 'unheard_of', x: 1 }, { type: 'tool_call' }, { type: 'plan' }, { type: 'usage' }, { type: 'notice' }, { type: 'message_delta' }, { type: 'user_message', messageId: 'x', content: null }, { type: 'state', state: 'upside down' }, { type: 'tool_output_delta', toolCallId: 'none', text: 'x' }, { type: 'config' }, { type: 'commands' }]) {
      update(event);
    }
    send({ id: 900, method: 'ui/confirm', params: { nothing: true } });
    send({ id: 901, method: 'ui/askUser', params: {} });
    send({ id: 902, method: 'buffer/apply', params: { uri: 'http://example.com/', baseVersion: 1, text: 'x' } });
    send({ id: 903, method: 'no/such/request', params: {} });
    say('That was garbage.');
  },
  async flood() {
    update({ type: 'tool_call', toolCallId: 'c1', tool: 'run_command', kind: 'execute', title: 'yes', status: 'in_progress' });
    for (let i = 0; i < 400; i += 1) {
      update({ type: 'tool_output_delta', toolCallId: 'c1', text: `${'y'.repeat(79)}\n`.repeat(500) });
    }
    update({ type: 'tool_call', toolCallId: 'c1', tool: 'run_command', status: 'completed', text: 'much' });
    say('End of the flood.');
  },
  async 'die in the turn'() {
    say('I will die');
    await new Promise((done) => setTimeout(done, 300));
    process.exit(3);
  },
  async 'answer never'() {
    say('You can wait.');
    await new Promise(() => undefined);
  },
};

async function prompt(id, params) {
  const text = params.prompt[0].text;
  update({ type: 'session_info', title: text });
  update({ type: 'state', state: 'running' });
  update({ type: 'user_message', messageId: 't1-user', content: params.prompt });
  await (plays[text] ?? (async () => say(`You said: ${text}`)))();
  update({ type: 'state', state: 'idle' });
  send({ id, result: { turnId: 't1', stopReason: 'end_turn' } });
}

const handlers = {
  initialize: () => existsSync(join(state, 'hang-in-initialize')) ? writeFileSync(join(state, 'pid'), String(process.pid)) : ({ protocolVersion: 1, serverInfo: { name: 'double' }, capabilities: { modes: [], commands: [], promptTypes: [] }, limits: { maxMessageBytes: 1 << 25, maxBufferBytes: 1 << 26 } }),
  'session/new': (p) => {
    ({ cwd } = p);
    told = p;
    return session();
  },
  'session/load': (p) => {
    if (existsSync(join(state, 'die-in-load'))) {
      process.exit(4);
    }
    told = p;
    appendFileSync(join(state, 'loads'), `${p.sessionId}\n`);
    return session();
  },
  'session/list': () => ({ sessions: [] }),
  'session/cancel': () => ({ cancelled: true }),
  'session/close': () => ({}),
};

let rest = Buffer.alloc(0);
process.stdin.on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(0, end)).toString())?.[1]);
    if (end < 0 || rest.length < end + 4 + length) {
      return;
    }
    const m = JSON.parse(rest.subarray(end + 4, end + 4 + length).toString());
    rest = rest.subarray(end + 4 + length);
    if (m.method === undefined) {
      waiting.get(m.id)?.(m.result ?? m.error);
    } else if (m.method === 'session/prompt') {
      void prompt(m.id, m.params);
    } else if (m.id !== undefined) {
      const result = (handlers[m.method] ?? (() => ({})))(m.params);
      if (result !== undefined) { // else there is no answer
        send({ id: m.id, result });
      }
    }
  }
});
process.stdin.on('end', () => process.exit(0));
