import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hunk } from '../../src/protocol';
import { split } from '../../src/review/lines';
import { Proposal, type LineEdit } from '../../src/review/proposal';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const proposed = 'eins\ntwo\nfour\nfive\nsix\n';
const hunks: Hunk[] = [
  { id: 'h1', oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, text: '-one\n+eins\n' },
  { id: 'h2', oldStart: 3, oldLines: 1, newStart: 3, newLines: 0, text: '-three\n' },
  { id: 'h3', oldStart: 6, oldLines: 0, newStart: 5, newLines: 1, text: '+six\n' },
];

function apply(text: string, edit: LineEdit): string {
  const lines = split(text);
  lines.splice(edit.line, edit.count, edit.text);
  return lines.join('');
}

function reject(p: Proposal, text: string, id: string): string {
  const place = p.places(text).find((x) => x.hunkId === id);
  assert.ok(place, `${id} is a place of the text`);
  return apply(text, p.revert(text, place));
}

test('the places are the hunks, and know their lines on both sides', () => {
  const p = new Proposal(base, proposed, hunks);
  assert.deepEqual(p.places(proposed).map((x) => [x.hunkId, x.oldLine, x.newLine, x.oldLines, x.newLines]), [
    ['h1', 0, 0, ['one\n'], ['eins\n']],
    ['h2', 2, 2, ['three\n'], []],
    ['h3', 5, 4, [], ['six\n']],
  ]);
  assert.deepEqual(p.verdict(proposed), { kind: 'all' });
});

test('a rejected place gets its old lines back, and the others move', () => {
  const p = new Proposal(base, proposed, hunks);
  const text = reject(p, proposed, 'h2');
  assert.equal(text, 'eins\ntwo\nthree\nfour\nfive\nsix\n');
  assert.deepEqual(p.places(text).map((x) => [x.hunkId, x.newLine]), [['h1', 0], ['h3', 5]]);
  assert.deepEqual(p.verdict(text), { kind: 'hunks', hunks: { h1: true, h2: false, h3: true } });
});

test('every subset of rejections gives the text of the others, in any order', () => {
  const ids = ['h1', 'h2', 'h3'];
  for (let mask = 0; mask < 8; mask += 1) {
    const chosen = ids.filter((_, i) => mask & (1 << i));
    for (const order of [chosen, [...chosen].reverse()]) {
      const p = new Proposal(base, proposed, hunks);
      const text = order.reduce((t, id) => reject(p, t, id), proposed);
      const want = [chosen.includes('h1') ? 'one\n' : 'eins\n', 'two\n', chosen.includes('h2') ? 'three\n' : '', 'four\nfive\n', chosen.includes('h3') ? '' : 'six\n'].join('');
      assert.equal(text, want, order.join());
      assert.equal(p.verdict(text).kind, chosen.length === 0 ? 'all' : chosen.length === 3 ? 'none' : 'hunks');
    }
  }
});

test('an undo of a rejection brings the place back', () => {
  const p = new Proposal(base, proposed, hunks);
  reject(p, proposed, 'h1');
  assert.equal(p.places(proposed).length, 3);
  assert.deepEqual(p.verdict(proposed), { kind: 'all' });
});

test('a text that was typed into has the places of its own diff, and is sent whole', () => {
  const p = new Proposal(base, proposed, hunks);
  const text = 'EINS\ntwo\nfour\nfive and\nsix\n';
  assert.deepEqual(p.verdict(text), { kind: 'edited' });
  assert.deepEqual(p.places(text).map((x) => [x.oldLine, x.newLine, x.oldLines.length, x.newLines.length]), [[0, 0, 1, 1], [2, 2, 1, 0], [4, 3, 1, 2]]);
  const second = p.places(text)[1];
  assert.ok(second);
  assert.equal(apply(text, p.revert(text, second)), 'EINS\ntwo\nthree\nfour\nfive and\nsix\n');
});

test('decisions: all places accepted, one taken back', () => {
  const p = new Proposal(base, proposed, hunks);
  p.places(proposed).forEach((x) => p.mark(x, true));
  assert.equal(p.decided(proposed), true);
  const first = p.places(proposed)[0];
  assert.ok(first?.accepted);
  p.mark(first, false);
  assert.equal(p.decided(proposed), false);
});

test('line endings are the daemon\'s business', () => {
  const p = new Proposal('a\r\nb\r\n', 'a\r\nc\r\n', [{ id: 'h1', oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, text: '-b\r\n+c\r\n' }]);
  assert.deepEqual(p.verdict('a\nc\n'), { kind: 'all' });
  assert.equal(p.places('a\r\nc\r\n').length, 1);
});

test('a text without a final line end', () => {
  const p = new Proposal('a\nb', 'a\nb\nc', [{ id: 'h1', oldStart: 2, oldLines: 1, newStart: 2, newLines: 2, text: '-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n' }]);
  assert.equal(reject(p, 'a\nb\nc', 'h1'), 'a\nb');
});

test('a new file is one place', () => {
  const p = new Proposal('', 'x\ny\n', [{ id: 'h1', oldStart: 1, oldLines: 0, newStart: 1, newLines: 2, text: '+x\n+y\n' }]);
  assert.deepEqual(p.places('x\ny\n').map((x) => [x.oldLine, x.newLine, x.newLines.length]), [[0, 0, 2]]);
  assert.deepEqual(p.verdict(''), { kind: 'none' });
});
