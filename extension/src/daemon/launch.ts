// What the daemon is started with: the binary, and the model from settings and
// secrets. The key goes through the environment, never through arguments,
// which other users of the machine could see.
import * as vscode from 'vscode';
import { findBinary } from './binary';
import type { Launch } from './process';
import type { Keys } from '../setup/keys';

/** Makes the function that collects what a start needs, as it is then. */
export function launcher(context: vscode.ExtensionContext, keys: Keys): () => Promise<Launch> {
  return async () => {
    const config = vscode.workspace.getConfiguration('agentd');
    const binary = findBinary({
      setting: config.get('path', ''),
      extensionFolder: context.extensionPath,
      path: process.env['PATH'] ?? '',
      platform: process.platform,
    });
    const env: Record<string, string> = {};
    const baseUrl = config.get('baseUrl', '');
    const key = await keys.get(baseUrl);
    if (key) {
      env['MODEL_API_KEY'] = key;
    }
    if (baseUrl) {
      env['BASE_URL'] = baseUrl;
    }
    const model = config.get('model', '');
    if (model) {
      env['MODEL'] = model;
    }
    return { binary, args: ['--log-level', config.get('logLevel', 'warning')], env };
  };
}
