// A question that waits is never invisible: a number at the view's icon, the
// status bar, and a notification while the chat is hidden.
import * as vscode from 'vscode';
import type { ChatView } from '../chat/view';
import type { OpenQuestion, Questions } from '../questions/questions';
import type { Conversation } from '../session/conversation';
import { statusText } from './status';
import { unlinked } from './unlinked';

// The editor clears a number only with a 0, not when there is none.
const noBadge: vscode.ViewBadge = { value: 0, tooltip: '' };

/** Shows what waits for the person. */
export class Attention implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('agentd.status', vscode.StatusBarAlignment.Left, 0);
  private readonly subscriptions: vscode.Disposable[];
  /** Ends the notification of a question that was answered elsewhere. */
  private readonly shown = new Map<string, () => void>();

  constructor(
    private readonly questions: Questions,
    private readonly conversation: Conversation,
    private readonly view: ChatView,
  ) {
    this.item.name = 'agentd';
    this.item.command = 'agentd.showPending';
    this.subscriptions = [
      questions.onOpen((q) => {
        this.update();
        this.notify(q);
      }),
      questions.onClose(({ question }) => {
        this.shown.get(question.id)?.();
        this.update();
      }),
      conversation.onState(() => this.update()),
    ];
    this.update();
    this.item.show();
  }

  dispose(): void {
    this.subscriptions.forEach((s) => void s.dispose());
    this.shown.forEach((end) => end());
    this.item.dispose();
  }

  private update(): void {
    const open = this.questions.all.length;
    this.view.setBadge(open > 0 ? { value: open, tooltip: open === 1 ? '1 question waits for you' : `${open} questions wait for you` } : noBadge);
    const { text, tooltip, warn } = statusText(open, this.conversation.activity);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: tooltip };
    this.item.backgroundColor = warn ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  private notify(question: OpenQuestion): void {
    if (this.view.visible || !vscode.workspace.getConfiguration('agentd').get('notifications', true)) {
      return;
    }
    const title = question.kind === 'confirm' ? question.request.title : question.request.questions[0]?.question ?? 'A question';
    const closed = new Promise<void>((resolve) => this.shown.set(question.id, resolve)).finally(() => this.shown.delete(question.id));
    // A progress notification is the only kind that an extension can take back.
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `agentd asks ([Answer](command:agentd.showPending)): ${unlinked(title)}`, cancellable: false },
      () => Promise.race([closed, new Promise<void>((resolve) => {
        const listener = this.view.onVisibility((visible) => {
          if (visible) {
            listener.dispose();
            resolve();
          }
        });
        void closed.then(() => listener.dispose());
      })]),
    );
  }
}
