import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/protocol';
import { confirmOutcome } from '../../src/questions/cards';
import { withTexts } from '../../src/review/answer';
import { addedLines } from '../../src/review/addedlines';
import { globOf } from '../../src/review/glob';
import { applyHunks } from '../../src/review/hunks';

const change: Change = {
  uri: 'file:///a', path: 'a', op: 'modify', base: { source: 'disk' },
  hunks: [
    { id: 'h1', oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, text: '-one\n+eins\n+zwei\n' },
    { id: 'h2', oldStart: 3, oldLines: 1, newStart: 4, newLines: 1, text: '-three\n\\ No newline at end of file\n+drei\n\\ No newline at end of file\n' },
  ],
};

test('a text too large to be sent is made from its hunks', () => {
  assert.equal(applyHunks('one\ntwo\nthree', change), 'eins\nzwei\ntwo\ndrei');
});

test('the name of a file as a pattern means that file alone', () => {
  assert.equal(globOf('a.txt'), 'a.txt');
  assert.equal(globOf('[id].{a,b}*?.tsx'), '[[]id[]].[{]a,b[}][*][?].tsx');
});

test('the added lines of a diff', () => {
  assert.deepEqual(addedLines('--- a\n+++ a\n@@ -1,2 +1,3 @@\n x\n-y\n+z\n+w\n@@ -9 +10 @@\n-p\n+q\n'), [1, 2, 9]);
});

test('how a confirmation was settled', () => {
  const request = { confirmId: 'c', sessionId: 's', turnId: 't', toolCallId: 'x', tool: 'edit_file', level: 'sensitive', title: 'Edit a', choices: ['allow'], grants: [{ id: 'g', label: 'edits of a' }] } as const;
  const of = (answer: Parameters<typeof confirmOutcome>[1]): string => confirmOutcome({ ...request, choices: ['allow'], grants: [...request.grants] }, answer);
  assert.equal(of({ decision: 'allow' }), 'Allowed');
  assert.equal(of({ decision: 'allow', hunks: { h1: true, h2: false } }), 'Allowed 1 of 2 changes');
  assert.equal(of({ decision: 'allow', edits: [{ uri: 'file:///a', text: '' }] }), 'Allowed, with your edits');
  assert.equal(of({ decision: 'allowSession', grantId: 'g' }), 'Allowed for this session: edits of a');
  assert.equal(of({ decision: 'reject', feedback: 'no' }), 'Rejected and said: no');
  assert.equal(of(undefined), 'Closed: the turn has ended');
});

test('an answer about several files names places, and texts where a person typed', () => {
  const hunk = (id: string): Change['hunks'][number] => ({ id, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, text: '-x\n+y\n' });
  const of = (name: string, ...ids: string[]): Change => ({ ...change, uri: `file:///${name}`, path: name, hunks: ids.map(hunk) });
  const all = { change: of('a', 'h1'), verdict: { kind: 'all' as const }, text: 'y' };
  const some = { change: of('b', 'h2', 'h3'), verdict: { kind: 'hunks' as const, hunks: { h2: true, h3: false } }, text: 'y' };
  const none = { change: of('c', 'h4'), verdict: { kind: 'none' as const }, text: 'x' };
  const edited = { change: of('d', 'h5'), verdict: { kind: 'edited' as const }, text: 'mine' };
  const empty = { change: of('e'), verdict: { kind: 'all' as const }, text: '' };
  const allow = { decision: 'allow' as const };
  assert.deepEqual(withTexts(allow, [all, all]), allow);
  assert.deepEqual(withTexts(allow, [none, none]), { decision: 'reject', grantId: undefined });
  assert.deepEqual(withTexts(allow, [all, some, none]), { ...allow, hunks: { h1: true, h2: true, h3: false, h4: false } });
  assert.deepEqual(withTexts(allow, [edited]), { ...allow, edits: [{ uri: 'file:///d', text: 'mine' }] });
  assert.deepEqual(withTexts(allow, [all, none, edited, empty]), { ...allow, hunks: { h1: true, h4: false }, edits: [{ uri: 'file:///d', text: 'mine' }, { uri: 'file:///e', text: '' }] });
});
