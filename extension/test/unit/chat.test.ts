import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unlinked } from '../../src/attention/unlinked';
import { statusText } from '../../src/attention/status';
import { fence } from '../../src/chat/fence';
import { parseFileLink } from '../../src/chat/links';
import { rank } from '../../src/chat/rank';
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
  assert.deepEqual(typing('/mo', 3), { kind: 'command', query: 'mo', start: 0 });
  assert.equal(typing('say /mo', 7), undefined);
  assert.deepEqual(typing('see @src/ma now', 11), { kind: 'file', query: 'src/ma', start: 4 });
  assert.equal(typing('me@example', 10), undefined);
  assert.deepEqual(matchCommands([{ name: 'mode', description: '' }, { name: 'help', description: '' }], 'MO').map((c) => c.name), ['mode']);
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
