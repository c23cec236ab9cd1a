import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUpdate, problemOf } from '../../src/daemon/checks';
import { Pending } from '../../src/session/pending';
import { blocksOf, promptOf, type Prompt } from '../../src/session/prompt';
import { ago } from '../../src/shared/ago';
import { forkTitle } from '../../src/session/stored';

const said = (text: string): Prompt => ({ text, parts: [] });

test('a message comes back as it was sent, but for what was too large', () => {
  const prompt = promptOf([
    { type: 'text', text: 'Look at these.' },
    { type: 'text', text: 'Lines 2 to 4 of a.txt:\n```\nx\n```' },
    { type: 'resource', resource: { uri: 'file:///w/long%20name.go', text: '' } },
    { type: 'resource', resource: { uri: 'file:///w/short.go', text: 'package x' } },
    { type: 'resource_link', uri: 'file:///w/dir', name: 'dir' },
    { type: 'image', mimeType: 'image/png' },
  ]);
  assert.equal(prompt.text, 'Look at these.');
  assert.deepEqual(prompt.parts.map((p) => p.label.label), ['Lines 2 to 4 of a.txt', 'long name.go', 'short.go', 'dir', 'image']);
  assert.deepEqual(blocksOf(prompt).map((b) => b.type), ['text', 'text', 'resource_link', 'resource', 'resource_link']);
  assert.deepEqual(promptOf([]), { text: '', parts: [] });
});

test('what waits for the end of a turn and what goes into it are kept apart', () => {
  const p = new Pending();
  const first = p.add(said('first'));
  p.add(said('now'), true);
  p.add(said('second'));
  assert.deepEqual(p.labels.map((l) => [l.text, l.steering]), [['first', false], ['now', true], ['second', false]]);
  assert.equal(p.delivered()?.text, 'now');
  assert.equal(p.delivered(), undefined);
  assert.equal(p.take(first)?.text, 'first');
  assert.equal(p.take(first), undefined);
  assert.equal(p.next()?.text, 'second');
  assert.equal(p.size, 0);
});

test('a message that the turn did not take comes first after it; a stop gives all back', () => {
  const p = new Pending();
  p.add(said('later'));
  p.add(said('late'), true);
  assert.deepEqual(p.drain(false).map((one) => one.text), ['later']);
  p.add(said('later'));
  p.refused();
  assert.deepEqual(p.drain(true).map((one) => one.text), ['late', 'later']);
});

test('how long ago, and what a copy is called', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  assert.deepEqual(['2026-03-10T11:59:40Z', '2026-03-10T11:30:00Z', '2026-03-10T02:00:00Z', '2026-03-09T01:00:00Z', '2026-03-06T01:00:00Z', '2026-01-02T00:00:00Z', 'never'].map((t) => ago(t, now)),
    ['now', '30 min ago', '10 h ago', 'yesterday', '4 days ago', '2026-01-02', '']);
  assert.deepEqual(['x', 'x (2)', 'x (9)', ''].map(forkTitle), ['x (2)', 'x (3)', 'x (10)', 'Chat (2)']);
});

test('what is no update of the protocol is not taken for one', () => {
  assert.ok(isUpdate({ sessionId: 's', seq: 1, update: { type: 'message_delta', messageId: 'm', text: 'x' } }));
  for (const u of [null, 1, {}, { sessionId: 's', update: null }, { sessionId: 's', update: { type: 'toString' } }, { sessionId: 's', update: { type: 'plan' } }, { sessionId: 's', update: { type: 'state', state: 'x' } }]) {
    assert.equal(isUpdate(u), false, JSON.stringify(u));
  }
  assert.equal(problemOf('ui/confirm', { confirmId: 'c', sessionId: 's', title: 't', choices: [] }), undefined);
  assert.match(problemOf('ui/askUser', null) ?? '', /questions/);
});
