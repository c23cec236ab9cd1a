// What a new session is made with: the folders of the window and the settings,
// or the sample project of the offline demo.
import * as vscode from 'vscode';
import type { ModeInfo, SessionNewParams } from '../protocol';
import { workspaceFolders, workspacePaths } from './folders';

/** What a session is made with. */
export interface SessionChoice extends SessionNewParams {
  /** The person trusts the folder. */
  trusted: boolean;
}

/** No folder is open, so there is nothing to work in. */
export class NoFolder extends Error {
  constructor() {
    super('Open a folder first: agentd works in the folders of the window.');
  }
}

/** Knows what a new session needs. */
export class SessionOptions {
  /** The folder of the sample project, while the offline demo is chosen. */
  demoFolder: string | undefined;
  /** Chosen in this window; they outlive a session. */
  mode: ModeInfo['id'] | undefined;
  model: string | undefined;

  /** The folders whose sessions are listed. */
  folders(): string[] {
    if (this.demoFolder !== undefined) {
      return [this.demoFolder];
    }
    return workspacePaths();
  }

  /** Makes the parameters of `session/new`. */
  make(): SessionChoice {
    if (this.demoFolder !== undefined) {
      return { cwd: this.demoFolder, model: 'replay:demo', mode: 'ask', enable: ['run_command'], trusted: true };
    }
    const folders = workspaceFolders();
    if (!folders) {
      throw new NoFolder();
    }
    const config = vscode.workspace.getConfiguration('agentd');
    return {
      ...folders,
      model: this.model,
      // Of a folder that is not trusted nothing is run or changed.
      mode: vscode.workspace.isTrusted ? this.mode ?? config.get<ModeInfo['id']>('mode', 'ask') : 'plan',
      enable: vscode.workspace.isTrusted ? config.get<string[]>('enableTools', []) : [],
      trusted: vscode.workspace.isTrusted,
    };
  }
}
