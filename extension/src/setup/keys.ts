// The key of the model's server, in the editor's secret storage.
import type * as vscode from 'vscode';

const name = 'agentd.apiKey';

/** Keeps the key. It is in no setting and no file. */
export class Keys {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async get(): Promise<string | undefined> {
    return this.secrets.get(name);
  }

  async set(key: string): Promise<void> {
    await this.secrets.store(name, key);
  }

  async clear(): Promise<void> {
    await this.secrets.delete(name);
  }
}
