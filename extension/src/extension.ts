// The entry of the extension: makes the parts and connects them. The daemon is
// not started here, but when the chat or a command first needs it.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CodeActions } from './actions/codeactions';
import { registerChats } from './actions/chats';
import { registerChatCommands } from './actions/commands';
import { writeCommitMessage } from './actions/commitmessage';
import { pickMode, pickModel } from './actions/pickers';
import { showServers } from './actions/servers';
import { registerSetupCommands } from './actions/setupcommands';
import { Attention } from './attention/attention';
import { applyBuffer } from './buffers/apply';
import { BufferSync } from './buffers/sync';
import { Attachments } from './chat/attachments';
import { ChatController } from './chat/controller';
import { ChatView } from './chat/view';
import { Daemon } from './daemon/daemon';
import { launcher } from './daemon/launch';
import { showQuestionsInChat } from './questions/inchat';
import { Questions } from './questions/questions';
import { registerReviewCommands } from './review/commands';
import { ReviewFileSystem, reviewScheme } from './review/filesystem';
import { ReviewLenses } from './review/lenses';
import { FadingMarks } from './review/marks';
import { Reviews } from './review/reviews';
import { closeStaleReviews, followReviews } from './review/saver';
import { Branches } from './session/branches';
import { Conversation } from './session/conversation';
import { SessionOptions } from './session/options';
import { followFolders } from './session/folderchange';
import { workspacePaths } from './session/folders';
import { LastSession } from './session/remember';
import { StoredSessions } from './session/stored';
import { Keys } from './setup/keys';
import { Setup } from './setup/setup';

/** Called by the editor. What is made here ends with the window. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('agentd', { log: true });
  const keys = new Keys(context.secrets);
  const setup = new Setup(keys);
  const questions = new Questions();
  const options = new SessionOptions();
  const { version } = context.extension.packageJSON as { version: string };
  const daemon = new Daemon(launcher(context, keys), {
    'ui/confirm': (request, token) => questions.confirm(request, token),
    'ui/askUser': (request, token) => questions.ask(request, token),
    'buffer/apply': (edit) => applyBuffer(edit),
  }, log, version);
  const buffers = new BufferSync(daemon);
  const conversation = new Conversation(daemon, () => options.make(), new LastSession(context.storageUri && join(context.storageUri.fsPath, 'session.json'), workspacePaths));
  const stored = new StoredSessions(daemon, () => options.folders());
  const branches = new Branches(conversation, stored);
  const attachments = new Attachments();
  const view = new ChatView(context.extensionUri, conversation, attachments, stored);
  const files = new ReviewFileSystem();
  const reviews = new Reviews(files, questions, conversation);
  const controller = new ChatController(view, conversation, attachments, questions, reviews, branches);
  const lenses = new ReviewLenses(reviews);
  const marks = new FadingMarks();

  context.subscriptions.push(
    log, questions, daemon, buffers, conversation, view, reviews, lenses, marks,
    showQuestionsInChat(questions, conversation),
    new Attention(questions, conversation, view),
    daemon.onEnd(() => questions.dismissAll()),
    daemon.onState((state) => {
      if (state === 'running' && conversation.transcript.items.length > 0) {
        void view.refresh(); // after a crash the session is opened again
      }
    }),
    conversation.onState(() => buffers.flush()),
    conversation.onWritten((changes) => {
      setTimeout(() => changes.forEach((c) => marks.show(c)), 400); // the editor reads the file first
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      void conversation.reopen(options.make().mode ?? 'ask').then(() => view.refresh()); // until now it could only plan
    }),
    followFolders(conversation, options, () => view.refresh()),
    vscode.window.registerWebviewViewProvider(ChatView.id, view, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.workspace.registerFileSystemProvider(reviewScheme, files, { isCaseSensitive: true }),
    vscode.languages.registerCodeLensProvider({ scheme: reviewScheme }, lenses),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new CodeActions(), { providedCodeActionKinds: CodeActions.kinds }),
    registerReviewCommands(reviews),
    followReviews(reviews),
    registerChats({
      conversation, options, stored, branches,
      show: async () => {
        await view.focus();
        await view.refresh();
      },
    }),
    registerChatCommands({ view, controller, conversation, attachments }),
    registerSetupCommands({ context, daemon, conversation, options, setup, keys, view, log }),
    vscode.commands.registerCommand('agentd.chooseMode', () => pickMode(conversation, options)),
    vscode.commands.registerCommand('agentd.chooseModel', () => pickModel(conversation, options, setup)),
    vscode.commands.registerCommand('agentd.showServers', () => showServers(conversation)),
    vscode.commands.registerCommand('agentd.commitMessage', (target: unknown) => writeCommitMessage(daemon, options, target)),
    vscode.commands.registerCommand('agentd.showPending', async () => {
      await view.focus();
      const [first] = questions.all;
      if (first) {
        view.post({ type: 'reveal', id: first.id });
      }
    }),
  );
  void closeStaleReviews();
}
