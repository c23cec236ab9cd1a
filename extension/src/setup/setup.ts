// The ways to get a model: a key, a server on this machine, any other server.
// What is chosen goes into the user's settings, the key into the secret storage.
import * as vscode from 'vscode';
import { unlinked } from '../attention/unlinked';
import { Keys } from './keys';
import { findLocalServers, listModels } from './local';

/** Asks the person for what a model needs. */
export class Setup {
  constructor(private readonly keys: Keys) {}

  /** Asks for a key, and for a model if none is chosen. True if it was given. */
  async enterKey(): Promise<boolean> {
    const baseUrl = this.baseUrl();
    const key = await vscode.window.showInputBox({
      title: 'agentd: API key',
      prompt: `The key for ${baseUrl}. It is kept in the editor's secret storage, and in no file.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() ? undefined : 'Paste the key here.'),
    });
    if (!key) {
      return false;
    }
    await this.keys.set(this.get('baseUrl'), key.trim());
    return this.get('model') !== '' || this.chooseModel(baseUrl, key.trim());
  }

  /** Takes a server that runs on this machine. */
  async useLocal(): Promise<boolean> {
    const servers = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'Looking for model servers' }, () => findLocalServers());
    if (servers.length === 0) {
      void vscode.window.showInformationMessage('No model server was found on this machine. Start Ollama, LM Studio or llama.cpp, and try again.');
      return false;
    }
    const picked = await vscode.window.showQuickPick(
      servers.flatMap((s) => s.models.map((model) => ({ label: model, description: s.name, detail: s.url, url: s.url }))),
      { title: 'agentd: model on this machine', placeHolder: 'Choose a model that can call tools' },
    );
    if (!picked) {
      return false;
    }
    await this.save({ baseUrl: picked.url, model: picked.label });
    return true;
  }

  /** Asks for the address of a server, its key and a model. */
  async useServer(): Promise<boolean> {
    const url = await vscode.window.showInputBox({
      title: 'agentd: model server',
      prompt: 'The base URL of an OpenAI-compatible server, as a rule ending in /v1',
      value: this.baseUrl(),
      ignoreFocusOut: true,
      validateInput: (text) => (/^https?:\/\/\S+$/.test(text.trim()) ? undefined : 'An address that begins with http:// or https://'),
    });
    if (!url) {
      return false;
    }
    const key = await vscode.window.showInputBox({
      title: 'agentd: API key', prompt: `The key for ${url}. Leave it empty if it wants none.`, password: true, ignoreFocusOut: true,
    });
    if (key === undefined) {
      return false;
    }
    await this.keys.set(url, key.trim());
    await this.save({ baseUrl: url.trim() });
    return this.chooseModel(url.trim(), key.trim() || undefined);
  }

  /** The names of the models of the configured server; empty if it does not say. */
  async models(): Promise<string[]> {
    const key = (await this.keys.get(this.get('baseUrl'))) ?? process.env['MODEL_API_KEY'] ?? process.env['OPENAI_API_KEY'];
    return listModels(this.baseUrl(), key).catch(() => []);
  }

  /** Lets the person choose one of the server's models, or type a name. */
  private async chooseModel(baseUrl: string, key: string | undefined): Promise<boolean> {
    const names = await listModels(baseUrl, key).catch((error: unknown) => {
      void vscode.window.showWarningMessage(`The models of ${baseUrl} could not be listed: ${unlinked(error)}`);
      return [];
    });
    const model = names.length > 0
      ? await vscode.window.showQuickPick(names, { title: 'agentd: model', placeHolder: 'Choose a model that can call tools' })
      : await vscode.window.showInputBox({ title: 'agentd: model', prompt: 'The name of the model, as the server knows it', ignoreFocusOut: true });
    if (!model) {
      return false;
    }
    await this.save({ model });
    return true;
  }

  private baseUrl(): string {
    return this.get('baseUrl') || process.env['BASE_URL'] || process.env['OPENAI_BASE_URL'] || 'https://api.openai.com/v1';
  }

  private get(name: string): string {
    return vscode.workspace.getConfiguration('agentd').get(name, '');
  }

  private async save(settings: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      await vscode.workspace.getConfiguration('agentd').update(name, value, vscode.ConfigurationTarget.Global);
    }
  }
}
