import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ItemChange } from '../../src/shared/items';
import { Batch } from '../../src/chat/batch';
import { Transcript } from '../../src/session/transcript';
import { endItem } from '../../src/session/turnend';

const kinds = (t: Transcript): string[] => t.items.map((i) => i.kind);

test('pieces of a reply are one item, and are done when a call begins', () => {
  const t = new Transcript();
  t.apply({ type: 'thought_delta', messageId: 'm', text: 'hm' });
  assert.deepEqual(t.apply({ type: 'message_delta', messageId: 'm', text: 'a' }).map((c) => c.op), ['put', 'put']);
  assert.deepEqual(t.apply({ type: 'message_delta', messageId: 'm', text: 'b' }).map((c) => c.op), ['append']);
  t.apply({ type: 'tool_call', toolCallId: 'c1', tool: 'read_file', status: 'pending' });
  const [thought, reply] = t.items;
  assert.ok(thought?.kind === 'thought' && thought.done);
  assert.ok(reply?.kind === 'assistant' && reply.done && reply.text === 'ab');
});

test('a call keeps what an update leaves out', () => {
  const t = new Transcript();
  t.apply({ type: 'tool_call', toolCallId: 'c1', tool: 'run_command', status: 'pending', title: 'Run x', kind: 'execute', input: { command: 'x' } });
  t.apply({ type: 'tool_output_delta', toolCallId: 'c1', text: 'out' });
  t.apply({ type: 'tool_call', toolCallId: 'c1', tool: 'run_command', status: 'failed', error: { code: 'exit', message: 'It failed.', hint: 'Look.' } });
  const [call] = t.items;
  assert.ok(call?.kind === 'tool');
  assert.deepEqual([call.title, call.toolKind, call.output, call.status, call.error], ['Run x', 'execute', 'out', 'failed', 'It failed.\nLook.']);
});

test('the ids of calls may come again, and those of messages in a new session', () => {
  const t = new Transcript();
  for (let i = 0; i < 2; i += 1) {
    t.nextSession();
    t.apply({ type: 'message_delta', messageId: 't1-m0', text: 'x' });
    for (const status of ['pending', 'pending', 'in_progress', 'completed'] as const) {
      t.apply({ type: 'tool_call', toolCallId: 'c1', tool: 'read_file', status });
    }
  }
  for (const status of ['pending', 'completed'] as const) {
    t.apply({ type: 'tool_call', toolCallId: 'c1', tool: 'read_file', status });
  }
  assert.deepEqual(kinds(t), ['assistant', 'tool', 'assistant', 'tool', 'tool']);
});

test('a void reply is taken back', () => {
  const t = new Transcript();
  t.apply({ type: 'message_delta', messageId: 'm', text: 'half' });
  const changes = t.apply({ type: 'notice', level: 'warning', kind: 'retry', message: 'again', voidMessageId: 'm' });
  assert.deepEqual(changes.map((c) => c.op), ['drop', 'put']);
  assert.deepEqual(kinds(t), ['notice']);
});

test('calls that nobody will hear of are settled', () => {
  const t = new Transcript();
  t.apply({ type: 'tool_call', toolCallId: 'c1', tool: 'x', status: 'in_progress' });
  t.abandon('gone');
  const [call] = t.items;
  assert.ok(call?.kind === 'tool' && call.status === 'failed' && call.error === 'gone');
});

test('a turn that ends as it should and changes nothing says nothing', () => {
  assert.equal(endItem('e', { turnId: 't', stopReason: 'end_turn' }, []), undefined);
  assert.equal(endItem('e', { turnId: 't', stopReason: 'end_turn' }, ['/a'])?.text, '');
  assert.equal(endItem('e', { turnId: 't', stopReason: 'error', error: { kind: 'x', message: 'No.', retryable: true } }, [])?.level, 'error');
});

test('a batch joins texts and keeps the order', () => {
  const got: ItemChange[][] = [];
  const batch = new Batch((changes) => got.push(changes), 1000);
  batch.add([{ op: 'append', id: 'a', text: '1' }]);
  batch.add([{ op: 'append', id: 'a', text: '2' }, { op: 'drop', id: 'b' }, { op: 'append', id: 'a', text: '3' }]);
  batch.flush();
  assert.deepEqual(got, [[{ op: 'append', id: 'a', text: '12' }, { op: 'drop', id: 'b' }, { op: 'append', id: 'a', text: '3' }]]);
});

test('what waits in a batch is as it was when it was added', () => {
  const got: ItemChange[][] = [];
  const t = new Transcript();
  const batch = new Batch((changes) => got.push(changes), 1000);
  batch.add(t.apply({ type: 'message_delta', messageId: 'm', text: 'a' }));
  batch.add(t.apply({ type: 'message_delta', messageId: 'm', text: 'b' }));
  batch.flush();
  const [put, append] = got[0] ?? [];
  assert.ok(put?.op === 'put' && put.item.kind === 'assistant' && put.item.text === 'a');
  assert.deepEqual(append?.op === 'append' && append.text, 'b');
});

test('only the last message can be tried again', () => {
  const t = new Transcript();
  t.put({ kind: 'end', id: 'e', turnId: 't1', text: 'Stopped.', level: 'info', changed: [], retryable: true });
  t.put({ kind: 'notice', id: 'n', level: 'error', text: 'agentd ended.', actions: [{ label: 'Try again', action: 'retry' }, { label: 'Show log', action: 'showLog' }] });
  assert.deepEqual(t.moveOn().map((c) => c.op), ['put', 'put']);
  const [end, notice] = t.items;
  assert.ok(end?.kind === 'end' && !end.retryable);
  assert.ok(notice?.kind === 'notice');
  assert.deepEqual(notice.actions?.map((a) => a.action), ['showLog']);
  assert.deepEqual(t.moveOn(), []);
});
