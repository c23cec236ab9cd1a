// The keys of the model servers, in the editor's secret storage: each is for one
// server and goes to no other. Whoever takes a server on this machine does not
// want to hand it the key of the one in the cloud.
import type * as vscode from 'vscode';

const name = 'agentd.apiKey';

/** Keeps the keys. They are in no setting and no file. */
export class Keys {
  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>) {}

  /** The key for a server, by the setting `agentd.baseUrl`; empty is what agentd is configured with. */
  async get(baseUrl: string): Promise<string | undefined> {
    return (await this.all()).get(server(baseUrl));
  }

  /** Keeps a key for a server; without one that server's is forgotten. */
  async set(baseUrl: string, key: string): Promise<void> {
    const all = await this.all();
    if (key) {
      all.set(server(baseUrl), key);
    } else {
      all.delete(server(baseUrl));
    }
    await this.secrets.store(name, JSON.stringify([...all]));
  }

  /** Forgets the keys of all servers. */
  async clear(): Promise<void> {
    await this.secrets.delete(name);
  }

  private async all(): Promise<Map<string, string>> {
    try {
      return new Map(JSON.parse((await this.secrets.get(name)) ?? '[]') as [string, string][]);
    } catch {
      return new Map(); // nothing that was kept here
    }
  }
}

function server(baseUrl: string): string {
  return baseUrl.trim().replace(/\/+$/, '');
}
