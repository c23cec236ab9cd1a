import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unlinked } from '../../src/attention/unlinked';
import { statusText } from '../../src/attention/status';
import { fence } from '../../src/chat/fence';
import { parseFileLink } from '../../src/chat/links';
import { rank } from '../../src/chat/rank';
import { mentionOf, mentionsIn } from '../../src/shared/mention';
import { matchCommands, typing } from '../../webview/completion';

test('what a link to a file means, and which links are none', () => {
  assert.deepEqual(parseFileLink('src/a.go'), { path: 'src/a.go' });
  assert.deepEqual(parseFileLink('a.go:12'), { path: 'a.go', line: 12 });
  assert.deepEqual(parseFileLink('a.go:12:3'), { path: 'a.go', line: 12 });
  assert.deepEqual(parseFileLink('a%20b.go#L7'), { path: 'a b.go', line: 7 });
  assert.deepEqual(parseFileLink('file:///tmp/a.go#L7'), { path: '/tmp/a.go', line: 7 });
  for (const href of ['javascript:alert(1)', 'command:agentd.stop', 'data:text/html,x', 'vscode://x', 'JaVaScRiPt:x']) {
    assert.equal(parseFileLink(href), undefined, href);
  }
});

test('a fence is longer than those in the text', () => {
  assert.equal(fence('x', 'go'), '```go\nx\n```');
  assert.equal(fence('````\n', ''), '`````\n````\n`````');
});

test('files: the name counts more than the path, and letters in order are enough', () => {
  const file = (path: string): { path: string; name: string; folder: string } => ({ path, name: path.split('/').pop() ?? '', folder: '' });
  const files = ['main/x.go', 'cmd/main.go', 'docs/domain.md', 'mxaxixn.go', 'zzz.go'].map(file);
  assert.deepEqual(rank(files, 'main', 9).map((f) => f.path), ['cmd/main.go', 'docs/domain.md', 'main/x.go', 'mxaxixn.go']);
  assert.equal(rank(files, '', 2).length, 2);
});

test('what is completed at the cursor', () => {
  assert.deepEqual(typing('/mo', 3), { kind: 'command', query: 'mo', start: 0, end: 3 });
  assert.equal(typing('say /mo', 7), undefined);
  assert.deepEqual(typing('see @src/ma now', 11), { kind: 'file', query: 'src/ma', start: 4, end: 11 });
  assert.equal(typing('me@example', 10), undefined);
  assert.deepEqual(matchCommands([{ name: 'mode', description: '' }, { name: 'help', description: '' }], 'MO').map((c) => c.name), ['mode']);
});

test('a command of one\'s own is completed behind a hyphen, and whatever its letters are', () => {
  const own = [{ name: 'Review-PR', description: '' }];
  assert.deepEqual(typing('/review-p', 9), { kind: 'command', query: 'review-p', start: 0, end: 9 });
  assert.equal(matchCommands(own, 'review-p').length, 1);
  assert.equal(matchCommands(own, 'Rev').length, 1);
});

test('a file is named whatever is in its name', () => {
  for (const path of ['a.go', 'my notes.md', 'icon@2x.png', 'src/@shared/a.ts', 'why?', 'a "b".txt'.replaceAll('"', "'"), 'größe.txt']) {
    assert.deepEqual(mentionsIn(`see ${mentionOf(path)} and @b.go, please`), [path, 'b.go'], path);
  }
  assert.equal(mentionOf('a.go'), '@a.go');
  assert.equal(mentionOf('weather://a@b/now?'), '@weather://a@b/now?', 'the daemon knows a resource by its address');
  assert.deepEqual(mentionsIn('mail me@example.com'), []);
  assert.deepEqual(typing('see @"my no', 11), { kind: 'file', query: 'my no', start: 4, end: 11 });
});

test('the status bar: a question comes before work', () => {
  assert.equal(statusText(0, 'idle').warn, false);
  assert.match(statusText(2, 'running').tooltip, /2 questions/);
  assert.match(statusText(0, 'running').text, /spin/);
});

test('what a model says does not become a link in a notification', () => {
  const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/; // as the editor looks for them
  for (const text of ['[a](command:x)', '[[a](command:x)](command:y)', '[a]\n(command:x)', 'a](command:x) [b](https://x)']) {
    assert.doesNotMatch(unlinked(text), link);
  }
  assert.equal(unlinked(new Error('it [failed]')), 'it [failed]');
  assert.equal(unlinked('x'.repeat(1000)).length, 300);
});
