// The chat's webview: it is fed from the conversation, and what is done in it
// goes to the controller.
import * as vscode from 'vscode';
import type { Conversation } from '../session/conversation';
import type { StoredSessions } from '../session/stored';
import type { ChatState, FromView, RecentChat, ToView } from '../shared/messages';
import type { Attachments } from './attachments';
import { Batch } from './batch';
import { page } from './page';
import { findPhase, type Phase } from './phase';

/** The view in the activity bar. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = 'agentd.chat';

  /** What the webview asks for. */
  onMessage: (message: FromView) => Promise<void> = async () => undefined;

  private view: vscode.WebviewView | undefined;
  private loaded = false;
  private phase: Phase = { phase: 'starting' };
  private finding: Promise<void> | undefined;
  private wanted = 0;
  private waiting: ToView[] = [];
  private badge: vscode.ViewBadge | undefined;
  private recent: RecentChat[] = [];
  private asked = 0;
  private readonly batch = new Batch((changes) => this.post({ type: 'changes', changes }));
  private readonly visibility = new vscode.EventEmitter<boolean>();
  private readonly subscriptions: vscode.Disposable[];

  /** The chat was shown or hidden. */
  readonly onVisibility = this.visibility.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly conversation: Conversation,
    private readonly attachments: Attachments,
    private readonly stored: StoredSessions,
  ) {
    this.subscriptions = [
      conversation.onChanges((changes) => this.batch.add(changes)),
      conversation.onState(() => this.sendState()),
      conversation.onReset(() => {
        this.sendAll();
        void this.findRecent();
      }),
      attachments.onChange(() => this.post({ type: 'attachments', attachments: attachments.labels })),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.loaded = false;
    view.badge = this.badge;
    view.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, 'dist', 'webview')] };
    view.webview.onDidReceiveMessage((message: FromView) => {
      if (message.type === 'ready') {
        this.onReady();
      } else {
        this.onMessage(message).catch((error: unknown) => {
          this.conversation.say('error', error instanceof Error ? error.message : String(error));
        });
      }
    });
    view.onDidChangeVisibility(() => this.visibility.fire(view.visible));
    view.onDidDispose(() => {
      this.view = undefined;
      this.loaded = false;
      this.visibility.fire(false);
    });
    view.webview.html = page(view.webview, this.extension);
    this.visibility.fire(view.visible);
  }

  /** Whether the person sees the chat. */
  get visible(): boolean {
    return this.view?.visible === true;
  }

  /** Brings the chat to the front. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${ChatView.id}.focus`);
  }

  /** Sends a message; before the page is there it waits. */
  post(message: ToView): void {
    if (this.loaded && this.view) {
      void this.view.webview.postMessage(message);
    } else if (message.type === 'draft' || message.type === 'reveal') {
      this.waiting.push(message); // the rest is sent whole when the page is there
    }
  }

  /** Shows a number at the view's icon. */
  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.badge = badge;
    if (this.view) {
      this.view.badge = badge;
    }
  }

  /** Finds out anew whether the chat can be used; one that nobody has opened yet starts nothing. */
  async refresh(): Promise<void> {
    if (this.view) {
      this.wanted += 1;
      this.finding ??= this.find();
      await this.finding;
    }
  }

  dispose(): void {
    this.batch.clear();
    this.subscriptions.forEach((s) => void s.dispose());
    this.visibility.dispose();
  }

  /** Asks until nothing has changed while it asked. */
  private async find(): Promise<void> {
    let asked: number;
    do {
      asked = this.wanted;
      if (this.phase.phase !== 'ready') {
        this.phase = { phase: 'starting' };
        this.sendState();
      }
      const found = await findPhase(this.conversation);
      if (asked === this.wanted) {
        this.phase = found;
        this.sendState();
        void this.findRecent();
      }
    } while (asked !== this.wanted);
    this.finding = undefined; // before anybody can ask again
  }

  /** An empty chat shows the last ones. */
  private async findRecent(): Promise<void> {
    if (this.phase.phase !== 'ready' || this.conversation.transcript.items.length > 0) {
      return;
    }
    this.asked += 1;
    const { asked } = this;
    const list = await this.stored.recent(4).catch(() => []);
    if (asked !== this.asked) {
      return; // a later question has the later answer
    }
    this.recent = list.map(({ sessionId, title, cwd, updatedAt }) => ({ id: sessionId, title, folder: cwd, updatedAt }));
    this.sendState();
  }

  private onReady(): void {
    this.loaded = true;
    this.sendAll();
    this.waiting.splice(0).forEach((m) => this.post(m));
    void this.refresh();
  }

  private sendAll(): void {
    this.batch.clear();
    this.post({ type: 'reset', items: this.conversation.transcript.items });
    this.post({ type: 'attachments', attachments: this.attachments.labels });
    this.sendState();
  }

  private sendState(): void {
    this.batch.flush();
    if (this.view) {
      this.view.title = this.conversation.title || 'Chat';
    }
    this.post({ type: 'state', state: this.state() });
  }

  private state(): ChatState {
    const c = this.conversation;
    return {
      ...this.phase,
      activity: c.activity,
      mode: c.facts?.mode ?? '',
      modeName: c.facts?.modes.find((m) => m.id === c.facts?.mode)?.name ?? '',
      model: c.facts?.model ?? '',
      folder: c.folder,
      commands: c.commands,
      plan: c.plan,
      usage: c.usage,
      pending: c.pending.labels,
      recent: this.recent,
    };
  }
}
