import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/protocol';
import { confirmOutcome } from '../../src/questions/cards';
import { addedLines } from '../../src/review/addedlines';
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
