// The MCP servers of the chat: how they are, and a way to start one anew.
import * as vscode from 'vscode';
import type { ServerStatus } from '../protocol';
import type { Conversation } from '../session/conversation';

const icons: Record<ServerStatus['state'], string> = { starting: 'loading~spin', ready: 'pass', failed: 'error' };
const sources: Record<ServerStatus['source'], string> = { client: 'of this editor', user: 'of your config file', workspace: 'of this workspace' };

/** Lists the servers; the one that is chosen is started anew, if the person wants that. */
export async function showServers(conversation: Conversation): Promise<void> {
  const servers = await conversation.servers();
  if (servers.length === 0) {
    void vscode.window.showInformationMessage('There are no MCP servers. They are named in "mcpServers" of agentd\'s config file, or in the .mcp.json of a workspace that you trust; those of a workspace are asked about with the first message.');
    return;
  }
  const picked = await vscode.window.showQuickPick(servers.map((s) => ({
    label: `$(${icons[s.state]}) ${s.name}`,
    description: `${s.state}, ${sources[s.source]}`,
    detail: [s.error?.split('\n', 1)[0], counts(s), ...(s.warnings ?? [])].filter(Boolean).join(' · '),
    server: s,
  })), { title: 'agentd: MCP servers', placeHolder: 'Choose one to start it anew', matchOnDetail: true });
  if (!picked) {
    return;
  }
  const { name, what, error } = picked.server;
  const restart = 'Restart';
  if ((await vscode.window.showInformationMessage(`Start the MCP server ${name} anew?`, { modal: true, detail: [what, error].filter(Boolean).join('\n\n') }, restart)) === restart) {
    await conversation.restartServer(name);
  }
}

function counts(s: ServerStatus): string {
  const count = (list: unknown[] | undefined, what: string): string => (list?.length ? `${list.length} ${what}${list.length === 1 ? '' : 's'}` : '');
  return [count(s.tools, 'tool'), count(s.prompts, 'prompt'), count(s.resources, 'resource')].filter(Boolean).join(', ');
}
