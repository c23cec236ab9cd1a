// The part of the built-in git extension's interface that is used here.
import * as vscode from 'vscode';

/** A repository of the git extension. */
export interface Repository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  diff(cached?: boolean): Promise<string>;
}

interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): { repositories: Repository[] };
}

/** The repository that a command of the source control view means, or the first. */
export async function findRepository(target: unknown): Promise<Repository | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = extension && (await extension.activate());
  if (!git?.enabled) {
    return undefined;
  }
  const { repositories } = git.getAPI(1);
  const root = typeof target === 'object' && target !== null && 'rootUri' in target ? String(target.rootUri) : undefined;
  return repositories.find((r) => r.rootUri.toString() === root) ?? repositories[0];
}
