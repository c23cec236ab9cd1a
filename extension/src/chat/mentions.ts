// @file mentions: which files a few typed letters may mean, and what a message
// that mentions files carries.
import * as vscode from 'vscode';
import type { ServerStatus } from '../protocol';
import type { FileMatch } from '../shared/messages';
import { rank } from './rank';

const maxListed = 20_000;
const maxAgeMs = 10_000;

/** Lists the files of the workspace; the list is kept for a moment. */
export class Mentions {
  private cached: { at: number; files: Promise<FileMatch[]> } | undefined;

  /** The best matches for what was typed behind the @, files and what MCP servers offer. */
  async find(query: string, servers: ServerStatus[]): Promise<FileMatch[]> {
    const offered = servers.flatMap((s) => (s.resources ?? []).map((r) => ({ path: r.uri, name: r.name, folder: s.name })));
    return rank([...await this.files(), ...offered], query, 12);
  }

  /** The file that a mention names, if there is one. */
  async resolve(path: string): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const named = folders.length > 1 ? folders.filter((f) => path.startsWith(`${f.name}/`)) : [];
    for (const { uri: home, below } of [...named.map((f) => ({ uri: f.uri, below: path.slice(f.name.length + 1) })), ...folders.map((f) => ({ uri: f.uri, below: path }))]) {
      const uri = vscode.Uri.joinPath(home, below);
      if (uri.path.startsWith(`${home.path.replace(/\/$/, '')}/`)) {
        try {
          await vscode.workspace.fs.stat(uri);
          return uri;
        } catch {
          continue;
        }
      }
    }
    return undefined;
  }

  private files(): Promise<FileMatch[]> {
    if (!this.cached || Date.now() - this.cached.at > maxAgeMs) {
      this.cached = { at: Date.now(), files: this.list() };
    }
    return this.cached.files;
  }

  private async list(): Promise<FileMatch[]> {
    const uris = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxListed);
    const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1; // then a path alone may be that of two files
    return uris.map((uri) => {
      const path = vscode.workspace.asRelativePath(uri, several);
      const slash = path.lastIndexOf('/');
      return { path, name: path.slice(slash + 1), folder: slash < 0 ? '' : path.slice(0, slash) };
    });
  }
}
