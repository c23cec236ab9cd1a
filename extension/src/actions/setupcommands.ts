// The commands that set a model up and look after the daemon.
import * as vscode from 'vscode';
import type { ChatView } from '../chat/view';
import type { Daemon } from '../daemon/daemon';
import type { Conversation } from '../session/conversation';
import type { SessionOptions } from '../session/options';
import { copySample } from '../setup/demo';
import type { Keys } from '../setup/keys';
import type { Setup } from '../setup/setup';

/** What the commands act on. */
export interface SetupParts {
  context: vscode.ExtensionContext;
  daemon: Daemon;
  conversation: Conversation;
  options: SessionOptions;
  setup: Setup;
  keys: Keys;
  view: ChatView;
  log: vscode.LogOutputChannel;
}

/** Registers them. */
export function registerSetupCommands(parts: SetupParts): vscode.Disposable {
  const { context, daemon, conversation, options, setup, keys, view, log } = parts;
  const command = (name: string, run: () => unknown): vscode.Disposable => vscode.commands.registerCommand(`agentd.${name}`, run);

  const restart = (): void => {
    daemon.restart();
    // The model that the chat had may not be one of the new server's.
    conversation.changeModel(vscode.workspace.getConfiguration('agentd').get('model', '') || undefined);
  };

  /** Takes new settings: the daemon starts anew with them. */
  const renew = async (done: boolean): Promise<void> => {
    if (done) {
      if (options.demoFolder !== undefined) {
        options.demoFolder = undefined;
        await conversation.reset(); // the demo's chat goes with it
      }
      options.model = undefined;
      restart();
      await view.focus();
      await view.refresh();
    }
  };
  return vscode.Disposable.from(
    command('showLog', () => log.show()),
    command('restart', () => renew(true)),
    command('setKey', async () => renew(await setup.enterKey())),
    command('clearKey', async () => {
      await keys.clear();
      await renew(true);
    }),
    command('useLocalServer', async () => renew(await setup.useLocal())),
    command('useServer', async () => renew(await setup.useServer())),
    command('tryOffline', async () => {
      await conversation.reset();
      options.demoFolder = await copySample(context);
      await view.focus();
      await view.refresh();
      conversation.say('info', 'This is the offline demo: a script, not a model. It works on a sample project of its own. Send the message below; a new chat leaves the demo.');
      await vscode.commands.executeCommand('agentd.demoPrompt');
    }),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (['path', 'baseUrl', 'model', 'logLevel'].some((name) => e.affectsConfiguration(`agentd.${name}`)) && !conversation.busy) {
        restart();
        void view.refresh();
      }
    }),
  );
}
