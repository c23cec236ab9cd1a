// MCP servers of a workspace: asked about as the file is, their tools asked about, and
// listed with a way to start one anew.
import assert from 'node:assert/strict';
import type { Run } from './run';
import { scenario } from './scenario';

/** A server with one tool, without any library. */
const server = `
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
let rest = '';
process.stdin.on('data', (b) => {
  const lines = (rest + b).split('\\n');
  rest = lines.pop();
  for (const { id, method, params } of lines.map((l) => JSON.parse(l))) {
    if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'weather', version: '1' }, capabilities: { tools: {}, resources: {} } } });
    else if (method === 'resources/list') say({ id, result: { resources: [{ uri: 'climate://berlin', name: 'Climate of Berlin' }] } });
    else if (method === 'resources/read') say({ id, result: { contents: [{ uri: params.uri, text: 'Rather grey.' }] } });
    else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'forecast', title: 'Forecast', description: 'Tells the weather.', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }] } });
    else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: 'Rain in ' + params.arguments.city }] } });
    else if (id !== undefined) say({ id, error: { code: -32601, message: 'unknown' } });
  }
});
`;

/** Registers the tests. */
export function serverTests(run: () => Run): void {
  scenario(run, 'an MCP server of the workspace: asked about once, its tool asked about, listed and started anew', async (w) => {
    await w.send('use the server');
    await w.chat.getByTestId('confirm').getByText('Start the MCP servers of .mcp.json?').waitFor();
    await w.picture('mcp-start');
    await w.chat.getByTestId('allow').click();
    await w.chat.getByTestId('confirm').getByText('Forecast (weather)').waitFor();
    await w.picture('mcp-call');
    await w.chat.getByTestId('allow').click();
    await w.chat.getByText('It rains.').waitFor();
    await w.chat.getByText('Allowed: Start the MCP servers of .mcp.json?').waitFor();
    await w.idle();

    await w.command('agentd: MCP Servers');
    const row = w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'weather' });
    await row.getByText('ready, of this workspace').waitFor();
    await row.getByText('1 tool').waitFor();
    await w.picture('mcp-servers');
    await row.click();
    await w.page.locator('.monaco-dialog-box a', { hasText: 'Restart' }).click();
    await w.send('use the server again');
    await w.chat.getByTestId('allow').click();
    await w.chat.getByText('It still rains.').waitFor();
    await w.idle();

    const input = w.chat.getByTestId('input');
    await input.fill('');
    await input.pressSequentially('and @climate');
    await w.chat.getByText('Climate of Berlin').waitFor();
    await w.picture('mcp-mention');
    assert.equal(await w.chat.getByText('is not running').count(), 0);
    await input.press('Enter');
    await input.press('Enter');
    await w.chat.getByText('Grey, then.').waitFor();
  }, { files: { '.mcp.json': JSON.stringify({ mcpServers: { weather: { command: process.execPath, args: ['weather.mjs'] } } }), 'weather.mjs': server } });
}
