// The chat's page: long conversations, quick streams, hostile texts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import type { Item } from '../../src/shared/items';
import type { ChatState } from '../../src/shared/messages';
import { assertAccessible } from './axe';
import { openBrowser } from './browser';
import { openPage, send } from './page';
import { until } from './window';

let browser: BrowserContext;
before(async () => {
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
});

const long = (n: number): Item[] => Array.from({ length: n }, (_, i): Item => i % 4 === 0
  ? { kind: 'user', id: `i${i}`, text: `Question ${i}`, attachments: [] }
  : i % 4 === 1
    ? { kind: 'tool', id: `i${i}`, tool: 'read_file', title: `Read file-${i}.go`, toolKind: 'read', status: 'completed', locations: [{ path: `/w/file-${i}.go`, line: 1 }], output: '', text: 'x\n'.repeat(50) }
    : { kind: 'assistant', id: `i${i}`, text: `Answer **${i}**\n\n\`\`\`go\nfunc f${i}() int { return ${i} }\n\`\`\`\n\n- a\n- b\n`, done: true });

test('2,000 messages: what is far away is not rendered, a delta touches one element, scrolling renders what comes', async (t) => {
  const page = await openPage(browser);
  await page.evaluate((items) => window.postMessage({ type: 'reset', items }, '*'), long(2000));
  const items = page.getByTestId('items').locator('> *');
  const raw = page.locator('.markdown.raw');
  await until(async () => (await items.count()) === 2000, () => 'all are there');
  await items.last().locator('pre.code .hljs-keyword').first().waitFor();
  assert.ok((await raw.count()) > 900, `${1000 - (await raw.count())} of 1,000 replies were rendered`);

  const touched = await page.evaluate(async () => {
    const log = document.querySelector('[data-testid="items"]') as HTMLElement;
    const first = log.firstElementChild;
    const seen = new Set<Node | null>();
    window.postMessage({ type: 'changes', changes: [{ op: 'put', item: { kind: 'assistant', id: 'new', text: '', done: false } }] }, '*');
    while (!log.querySelector('[data-id="new"]')) {
      await new Promise((done) => requestAnimationFrame(done));
    }
    const watch = new MutationObserver((records) => records.forEach((r) => {
      let node: Node | null = r.target;
      while (node && node.parentNode !== log && node !== log) {
        node = node.parentNode;
      }
      seen.add(node);
    }));
    watch.observe(log, { childList: true, subtree: true, characterData: true });
    const start = performance.now();
    for (let i = 0; i < 200; i += 1) {
      window.postMessage({ type: 'changes', changes: [{ op: 'append', id: 'new', text: `word ${i} ` }] }, '*');
      await new Promise((done) => requestAnimationFrame(done));
    }
    while (!log.lastElementChild?.textContent?.includes('word 199')) {
      await new Promise((done) => requestAnimationFrame(done));
    }
    return { ms: performance.now() - start, same: first === log.firstElementChild, elements: seen.size };
  });
  assert.ok(touched.same);
  assert.equal(touched.elements, 1, 'only the growing message was touched');

  const frames = await page.evaluate(async () => {
    const log = document.querySelector('[data-testid="log"]') as HTMLElement;
    const times: number[] = [];
    let last = performance.now();
    for (let i = 0; i <= 60; i += 1) {
      log.scrollTop = log.scrollHeight * (1 - i / 60);
      await new Promise((done) => requestAnimationFrame(done));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times.sort((a, b) => a - b);
  });
  await items.nth(2).locator('pre.code .hljs-keyword').first().waitFor();
  t.diagnostic(`a delta ${(touched.ms / 200).toFixed(1)} ms; a frame of scrolling ${Math.round(frames[frames.length >> 1] ?? 0)} ms, the longest ${Math.round(frames.at(-1) ?? 0)} ms`);
  await page.close();
});

test('hostile texts in every place are text, and the page asks nobody for anything', async () => {
  const page = await openPage(browser);
  const asked: string[] = [];
  page.on('request', (r) => asked.push(r.url()));
  const evil = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>[a](javascript:window.owned=1) <svg onload="window.owned=1"> ![p](http://evil.test/p.png) <a href="http://evil.test">x</a>';
  const code = `\`\`\`html"><img src=x onerror=window.owned=1>\n${evil}\n\`\`\``;
  const items: Item[] = [
    { kind: 'user', id: '1', text: evil, attachments: [{ id: evil, label: evil, icon: `x" onclick="window.owned=1`, detail: evil }] },
    { kind: 'assistant', id: '2', text: `${evil}\n\n${code}\n\n[x]: javascript:window.owned=1\n[x] [y](<data:text/html,x>) <javascript:window.owned=1>`, done: true },
    { kind: 'thought', id: '3', text: evil, done: true },
    { kind: 'tool', id: '4', tool: evil, title: evil, toolKind: 'execute', status: 'failed', locations: [{ path: evil, line: 1 }], output: evil, error: evil, input: evil },
    { kind: 'confirm', id: '5', toolCallId: 'x', title: evil, reason: evil, level: 'dangerous', command: { command: evil, cwd: evil }, files: [{ path: evil, op: 'modify', added: 1, removed: 1, diff: `+${evil}` }], grants: [{ id: 'g', label: evil }], canAbort: true, warning: evil },
    { kind: 'ask', id: '6', questions: [{ id: 'q', header: evil, question: evil, options: [{ id: 'o', label: evil, description: evil }], multi: false, allowText: true }] },
    { kind: 'notice', id: '7', level: 'error', text: evil },
    { kind: 'end', id: '8', turnId: 't', text: evil, level: 'error', changed: [evil], retryable: true },
  ];
  await send(page, { type: 'reset', items });
  await page.getByTestId('notice').waitFor();
  for (const summary of await page.locator('summary').all()) {
    await summary.click();
  }
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await page.evaluate(() => 'owned' in window), false);
  assert.equal(await page.locator('#app img, #app script, #app svg, #app iframe, #app [onerror], #app [onload], #app [onclick]').count(), 0);
  const links = await page.locator('#app a').evaluateAll((list) => list.map((a) => [a.getAttribute('href'), (a as HTMLElement).dataset['href']]));
  assert.ok(links.every(([href, target]) => href === '#' && !/^\s*(javascript|data|vbscript):/i.test(target ?? '')), JSON.stringify(links));
  assert.deepEqual(asked.filter((url) => !url.startsWith('http://chat.test/')), []);
  await page.close();
});

test('a huge text and a huge output do not hang the page', async () => {
  const page = await openPage(browser);
  await send(page, { type: 'reset', items: [
    { kind: 'assistant', id: 'a', text: `${'word '.repeat(200_000)}\n\n${'*'.repeat(20_000)}\n\n${'['.repeat(20_000)}\n\n${'> '.repeat(2000)}x`, done: true },
    { kind: 'tool', id: 't', tool: 'run_command', title: 'x', toolKind: 'execute', status: 'in_progress', locations: [], output: 'line\n'.repeat(40_000) },
  ] });
  await page.getByTestId('input').fill('still here');
  await until(async () => (await page.getByTestId('input').inputValue()) === 'still here', () => 'the input');
  await page.close();
});

test('keyboard: the question is reached and answered without a mouse', async () => {
  const page = await openPage(browser);
  await send(page, { type: 'reset', items: [{ kind: 'confirm', id: '5', toolCallId: 'x', title: 'Run x', level: 'dangerous', command: { command: 'x', cwd: '/w' }, files: [], grants: [], canAbort: true }] });
  await send(page, { type: 'reveal', id: '5' });
  await until(() => page.getByTestId('allow').evaluate((b) => b === document.activeElement), () => 'the first answer has the focus');
  await page.keyboard.press('Tab');
  await until(() => page.getByTestId('reject').evaluate((b) => b === document.activeElement), () => 'the second answer has the focus');
  await page.keyboard.press('Enter');
  const posted = await page.evaluate(() => (window as unknown as { posted: { type: string }[] }).posted.filter((m) => m.type === 'confirm'));
  assert.deepEqual(posted, [{ type: 'confirm', id: '5', decision: 'reject' }]);
  const unnamed = await page.locator('button:visible').evaluateAll((list) => list.filter((b) => !b.textContent?.trim() && !b.getAttribute('aria-label')).length);
  assert.equal(unnamed, 0, 'every button has a name');
  await page.close();
});

test('each answer of a card says what was clicked', async () => {
  const page = await openPage(browser);
  const posted = (): Promise<Record<string, unknown>[]> => page.evaluate(() => (window as unknown as { posted: Record<string, unknown>[] }).posted.splice(0));
  await send(page, { type: 'reset', items: [
    {
      kind: 'confirm', id: 'c', toolCallId: 'x', title: 'Edit two files', level: 'sensitive', grants: [{ id: 'g1', label: 'edits of a' }, { id: 'g2', label: 'all edits' }], canAbort: true,
      files: [{ path: 'a', op: 'modify', added: 1, removed: 1, diff: '-x\n+y\n' }, { path: 'b', op: 'create', added: 1, removed: 0, diff: '+z\n' }],
    },
    { kind: 'ask', id: 'q', questions: [{ id: 'q1', question: 'Which?', options: [{ id: 'o1', label: 'One' }, { id: 'o2', label: 'Two' }, { id: 'o3', label: 'Three' }], multi: true, allowText: true }] },
  ] });
  await page.getByTestId('ask').waitFor();
  await posted();
  await page.getByTestId('allow').click();
  await page.getByTestId('grant').nth(1).click();
  await page.getByTestId('abort').click();
  await page.getByTestId('open-diff').nth(1).click();
  await page.getByTestId('open-all').click();
  await page.getByTestId('feedback').click();
  await page.getByTestId('feedback-text').fill('use less');
  await page.getByTestId('feedback-text').press('Enter');
  assert.deepEqual(await posted(), [
    { type: 'confirm', id: 'c', decision: 'allow' },
    { type: 'confirm', id: 'c', decision: 'allowSession', grantId: 'g2' },
    { type: 'confirm', id: 'c', decision: 'abort' },
    { type: 'review', id: 'c', file: 1 },
    { type: 'review', id: 'c', file: 'all' },
    { type: 'confirm', id: 'c', decision: 'reject', feedback: 'use less' },
  ]);
  await page.getByTestId('option').nth(0).click();
  await page.getByTestId('option').nth(2).click();
  await page.getByTestId('ask-text').fill('and more');
  await page.getByTestId('answer').click();
  await page.getByTestId('decline').click();
  assert.deepEqual(await posted(), [
    { type: 'answer', id: 'q', outcome: 'answered', answers: { q1: { options: ['o1', 'o3'], text: 'and more' } } },
    { type: 'answer', id: 'q', outcome: 'declined' },
  ]);
  await page.close();
});

test('what is typed as feedback stays when its card changes meanwhile', async () => {
  const page = await openPage(browser);
  const card: Item = { kind: 'confirm', id: 'c', toolCallId: 'x', title: 'Edit a', level: 'sensitive', grants: [], canAbort: true, files: [{ path: 'a', op: 'modify', added: 1, removed: 1, diff: '-x\n+y\n' }] };
  await send(page, { type: 'reset', items: [card] });
  await page.getByTestId('feedback').click();
  await page.keyboard.type('use ');
  await send(page, { type: 'changes', changes: [{ op: 'put', item: { ...card, warning: 'a has changed' } }] });
  await page.getByTestId('confirm-warning').waitFor();
  await page.keyboard.type('less');
  await page.keyboard.press('Enter');
  const posted = await page.evaluate(() => (window as unknown as { posted: { type: string; feedback?: string }[] }).posted.filter((m) => m.type === 'confirm'));
  assert.deepEqual(posted, [{ type: 'confirm', id: 'c', decision: 'reject', feedback: 'use less' }]);
  await page.close();
});

test('what could be tried again goes when another message was sent', async () => {
  const page = await openPage(browser);
  const end: Item = { kind: 'end', id: 'e', turnId: 't1', text: 'Stopped.', level: 'info', changed: [], retryable: true };
  const notice: Item = { kind: 'notice', id: 'n', level: 'error', text: 'It ended.', actions: [{ label: 'Try again', action: 'retry' }, { label: 'Show log', action: 'showLog' }] };
  await send(page, { type: 'reset', items: [end, notice] });
  await until(async () => (await page.getByText('Try again').count()) === 2, () => 'both are offered');
  await send(page, { type: 'changes', changes: [{ op: 'put', item: { ...end, retryable: false } }, { op: 'put', item: { ...notice, actions: [{ label: 'Show log', action: 'showLog' }] } }] });
  await until(async () => (await page.getByText('Try again').filter({ visible: true }).count()) === 0, () => 'none is offered');
  assert.ok(await page.getByText('Show log').isVisible());
  await page.close();
});

test('what was typed before an earlier message is edited is there again afterwards', async () => {
  const page = await openPage(browser);
  const input = page.getByTestId('input');
  for (const after of ['Escape', 'Enter']) {
    await input.fill('half a thought');
    await send(page, { type: 'draft', text: 'an earlier message', replace: true, editing: 'u1' });
    await page.getByTestId('editing').waitFor();
    assert.equal(await input.inputValue(), 'an earlier message');
    await input.press(after);
    assert.equal(await input.inputValue(), 'half a thought');
  }
  await input.press('Enter');
  assert.equal(await input.inputValue(), '');
  const posted = await page.evaluate(() => (window as unknown as { posted: { type: string; text?: string; editing?: string }[] }).posted.filter((m) => m.type === 'send').map((m) => [m.text, m.editing]));
  assert.deepEqual(posted, [['an earlier message', 'u1'], ['half a thought', undefined]]);
  await page.close();
});

test('without a model: each way to one says what was chosen, a server on this machine first', async () => {
  const page = await openPage(browser);
  const state: ChatState = { phase: 'setup', problem: 'no key', localServer: { name: 'Ollama', url: 'http://127.0.0.1:11434/v1' }, activity: 'idle', mode: '', modeName: '', model: '', folder: '/w', commands: [], plan: [], pending: [], recent: [] };
  await send(page, { type: 'state', state });
  await page.getByTestId('setup-local').getByText('Use Ollama on this machine').waitFor();
  assert.equal(await page.getByTestId('input').isVisible(), false, 'nothing can be sent');
  for (const way of ['local', 'key', 'server', 'demo']) {
    await page.getByTestId(`setup-${way}`).click();
  }
  const posted = await page.evaluate(() => (window as unknown as { posted: { type: string; action?: string }[] }).posted.filter((m) => m.type === 'setup').map((m) => m.action));
  assert.deepEqual(posted, ['local', 'key', 'server', 'demo']);
  await assertAccessible(page);
  await page.close();
});

test('everything that is shown has a name and a role', async () => {
  const page = await openPage(browser);
  await assertAccessible(page); // the empty chat
  const state: ChatState = {
    phase: 'ready', activity: 'running', mode: 'ask', modeName: 'Ask', model: 'fake', folder: '/w', commands: [{ name: 'help', description: 'List the commands' }],
    plan: [{ content: 'a step', priority: 'medium', status: 'in_progress' }],
    usage: { type: 'usage', model: 'fake', request: { inputTokens: 1, outputTokens: 1 }, turn: { inputTokens: 1, outputTokens: 1 }, session: { inputTokens: 1, outputTokens: 1 }, contextTokens: 900, contextWindow: 1000 },
    pending: [{ id: 'p1', text: 'later', attachments: 1, steering: false }, { id: 'p2', text: 'now', attachments: 0, steering: true }], recent: [],
  };
  await send(page, { type: 'state', state });
  await send(page, { type: 'attachments', attachments: [{ id: 'a', label: 'a.txt', icon: 'file' }] });
  await send(page, { type: 'reset', items: [
    { kind: 'user', id: 'u', text: 'do it', attachments: [{ id: 'a', label: 'a.txt', icon: 'file' }], turnId: 't1' },
    { kind: 'thought', id: 't', text: 'hm', done: true },
    { kind: 'assistant', id: 'm', text: '# Head\n\n[link](https://example.com) and `code`\n\n```go\nfunc f() {}\n```\n\n- one\n\n| a | b |\n|---|---|\n| 1 | 2 |', done: true },
    { kind: 'tool', id: 'c', tool: 'run_command', title: 'go test', toolKind: 'execute', status: 'completed', locations: [{ path: '/w/a.go', line: 3 }], output: 'ok' },
    { kind: 'tool', id: 'sub', tool: 'read_file', title: 'Read a.go', toolKind: 'read', status: 'completed', locations: [], output: '', parent: 'c' },
    { kind: 'confirm', id: 'q', toolCallId: 'x', title: 'Edit two files', level: 'sensitive', grants: [{ id: 'g', label: 'edits' }], canAbort: true, files: [{ path: 'a', op: 'modify', added: 1, removed: 1, diff: '-x\n+y\n', settled: 'accepted' }, { path: 'b', op: 'create', added: 1, removed: 0, diff: '+z\n' }], warning: 'It has changed.', agent: 'Look at b' },
    { kind: 'ask', id: 'k', questions: [{ id: 'q1', header: 'Format', question: 'Which?', options: [{ id: 'o1', label: 'One' }], multi: true, allowText: true }] },
    { kind: 'notice', id: 'n', level: 'error', text: 'It failed.', actions: [{ label: 'Try again', action: 'retry' }] },
    { kind: 'end', id: 'e', turnId: 't1', text: 'Stopped.', level: 'info', changed: ['/w/a.go'], retryable: true },
  ] });
  for (const summary of await page.locator('summary').all()) {
    await summary.click();
  }
  await page.getByTestId('input').fill('/');
  await page.getByTestId('suggest').getByText('/help').waitFor();
  assert.equal(await page.getByTestId('tool-children').locator('[data-id="sub"]').count(), 1, 'a subagent stands in its call');
  await assertAccessible(page);
  await page.close();
});
