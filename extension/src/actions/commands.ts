// The commands of the palette, the menus and the view's title.
import * as vscode from 'vscode';
import type { ChatController } from '../chat/controller';
import { fileAttachment, problemAttachment, selectionAttachment, type Attachments } from '../chat/attachments';
import type { ChatView } from '../chat/view';
import type { Conversation } from '../session/conversation';
import { demoPrompt } from '../setup/demo';
import { attachMenu } from './attach';

/** What the commands act on. */
export interface CommandParts {
  view: ChatView;
  controller: ChatController;
  conversation: Conversation;
  attachments: Attachments;
}

/** Registers the commands that put something into the chat. */
export function registerChatCommands(parts: CommandParts): vscode.Disposable {
  const { view, controller, conversation, attachments } = parts;
  const command = (name: string, run: (...args: unknown[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(`agentd.${name}`, run);

  /** Sends a text about the selection, or about the lines that are given. */
  const about = async (text: string, uri?: unknown, range?: unknown): Promise<void> => {
    if (attachSelection(attachments, uri, range)) {
      await view.focus();
      await controller.send(text);
    }
  };

  return vscode.Disposable.from(
    command('focus', () => view.focus()),
    command('stop', () => conversation.stop()),
    command('attach', () => attachMenu(attachments)),
    command('addFile', async (uri, uris) => {
      const chosen = Array.isArray(uris) ? uris : [uri ?? vscode.window.activeTextEditor?.document.uri];
      for (const one of chosen) {
        if (one instanceof vscode.Uri && one.scheme === 'file') {
          const { type } = await vscode.workspace.fs.stat(one);
          attachments.add(fileAttachment(one, (type & vscode.FileType.Directory) !== 0));
        }
      }
      await view.focus();
    }),
    command('addSelection', async (uri, range) => {
      attachSelection(attachments, uri, range);
      await view.focus();
      view.post({ type: 'draft', text: '', replace: false });
    }),
    command('explain', (uri, range) => about('Explain this code.', uri, range)),
    command('fix', async (uri, diagnostics) => {
      if (uri instanceof vscode.Uri && Array.isArray(diagnostics)) {
        attachments.add(fileAttachment(uri), ...diagnostics.map((d: vscode.Diagnostic) => problemAttachment(uri, d)));
        await view.focus();
        await controller.send(diagnostics.length === 1 ? 'Fix this problem.' : 'Fix these problems.');
      } else {
        await about('Find what is wrong with this code, and fix it.');
      }
    }),
    command('ask', async (uri, range) => {
      const text = await vscode.window.showInputBox({ title: 'Ask agentd', prompt: 'About the selected lines: what do you want to know, or to have changed?' });
      if (text) {
        await about(text, uri, range);
      }
    }),
    command('demoPrompt', async () => {
      await view.focus();
      view.post({ type: 'draft', text: demoPrompt, replace: true });
    }),
    command('openWalkthrough', () => vscode.commands.executeCommand('workbench.action.openWalkthrough', 'agentd-dev.agentd#start')),
  );
}

/** Attaches the selection of the active editor, or the line of the cursor. */
function attachSelection(attachments: Attachments, uri: unknown, range: unknown): boolean {
  const editor = vscode.window.activeTextEditor;
  const document = uri instanceof vscode.Uri ? vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString()) : editor?.document;
  if (!document) {
    void vscode.window.showInformationMessage('Open a file and select the lines that you mean.');
    return false;
  }
  const selection = range instanceof vscode.Range ? range : editor?.selection ?? new vscode.Range(0, 0, 0, 0);
  attachments.add(selectionAttachment(document, selection.isEmpty ? document.lineAt(selection.start.line).range : selection));
  return true;
}
