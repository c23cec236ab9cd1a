// What happens when something is done in the chat.
import * as vscode from 'vscode';
import { unlinked } from '../attention/unlinked';
import type { SlashCommand } from '../protocol';
import type { Branches } from '../session/branches';
import type { Conversation } from '../session/conversation';
import type { Part, Prompt } from '../session/prompt';
import type { Questions } from '../questions/questions';
import type { Reviews } from '../review/reviews';
import { mentionsIn } from '../shared/mention';
import type { FromView } from '../shared/messages';
import { fileAttachment, imageAttachment, textAttachment, type Attachments } from './attachments';
import { Mentions } from './mentions';
import { codeAction, openFile, openLink } from './openers';
import { OutputTerminals } from './terminals';
import type { ChatView } from './view';

/** Connects the chat view with the rest. */
export class ChatController {
  private readonly mentions = new Mentions();
  private readonly terminals = new OutputTerminals();

  constructor(
    private readonly view: ChatView,
    private readonly conversation: Conversation,
    private readonly attachments: Attachments,
    private readonly questions: Questions,
    private readonly reviews: Reviews,
    private readonly branches: Branches,
  ) {
    view.onMessage = (message) => this.handle(message);
    conversation.onReturn((prompts) => this.giveBack(prompts));
    conversation.onChanges((changes) => this.terminals.onChanges(changes));
  }

  /** Sends a text with the attachments that are there; while a turn runs, into it or after it. */
  async send(text: string, how: 'steer' | 'queue' = 'queue', editing?: string): Promise<void> {
    const { conversation } = this;
    // The daemon's own commands stand alone; what is attached waits for the next message.
    const command = isCommand(text, conversation.commands);
    const prompt: Prompt = { text, parts: command ? [] : await this.parts(text) };
    if (editing !== undefined) {
      return this.branches.resend(editing, prompt);
    }
    return command || how === 'queue' ? conversation.queue(prompt) : conversation.steer(prompt);
  }

  /** Sends the last message once more. */
  async retry(): Promise<void> {
    if (this.conversation.lastPrompt) {
      await this.conversation.send(this.conversation.lastPrompt);
    }
  }

  /** What is attached and what the text names. */
  private async parts(text: string): Promise<Part[]> {
    const attached = this.attachments.take();
    const mentioned = (await Promise.all(mentionsIn(text).map((path) => this.mentions.resolve(path)))).filter((uri) => uri !== undefined);
    const all = [...attached, ...mentioned.map((uri) => fileAttachment(uri))];
    return Promise.all(all.map(async ({ label, blocks }) => ({ label, blocks: await blocks() })));
  }

  /** Puts messages into the input box. */
  private giveBack(prompts: Prompt[], replace = false, editing?: string): void {
    if (replace) {
      this.attachments.take();
    }
    this.attachments.add(...prompts.flatMap((p) => p.parts).map(({ label, blocks }) => ({ label, blocks: async () => blocks })));
    this.view.post({ type: 'draft', text: prompts.map((p) => p.text).join('\n\n'), replace, editing });
  }

  private async handle(m: FromView): Promise<void> {
    switch (m.type) {
      case 'ready':
        return;
      case 'send':
        return this.send(m.text, m.how, m.editing);
      case 'edit': {
        const prompt = this.conversation.promptOf(m.id);
        const item = this.conversation.transcript.get(m.id);
        const begins = item?.kind === 'user' && item.turnId !== undefined;
        return prompt && this.giveBack([prompt], true, begins ? m.id : undefined);
      }
      case 'fork':
        return this.branches.forkFrom(m.id);
      case 'pending':
        return this.pending(m.id, m.action);
      case 'openChat':
        return run('agentd.openChat', m.id, m.folder);
      case 'stop':
        return this.conversation.stop();
      case 'pickMode':
        return run('agentd.chooseMode');
      case 'pickModel':
        return run('agentd.chooseModel');
      case 'attach':
        return run('agentd.attach');
      case 'detach':
        return this.attachments.remove(m.id);
      case 'findFiles':
        return this.view.post({ type: 'files', query: m.query, files: await this.mentions.find(m.query, this.conversation.mcpServers) });
      case 'drop':
        for (const uri of m.uris) {
          const { scheme, path, authority } = vscode.Uri.parse(uri, true);
          // In a remote window its own files come with the window's scheme.
          await this.attach(vscode.Uri.from(scheme === 'vscode-remote' ? { scheme: 'file', path } : { scheme, path, authority }));
        }
        return;
      case 'image':
        return this.attachments.add(imageAttachment(m.name, m.mimeType, m.data));
      case 'text':
        return this.attachments.add(textAttachment(m.name, m.text));
      case 'refused':
        void vscode.window.showWarningMessage(`${unlinked(m.name)} cannot be attached: ${m.why}.`);
        return;
      case 'openFile':
        return openFile(this.conversation.folder, m.path, m.line);
      case 'openLink':
        return openLink(this.conversation.folder, m.href);
      case 'code':
        return codeAction(m.action, m.text, m.language);
      case 'confirm':
        return this.reviews.decide(m.id, { decision: m.decision, grantId: m.grantId, feedback: m.feedback || undefined });
      case 'review':
        return this.reviews.show(m.id, m.file);
      case 'answer':
        this.questions.reply(m.id, { outcome: m.outcome, answers: m.answers });
        return;
      case 'undo':
        return this.undo(m.turnId);
      case 'terminal':
        return this.terminals.show(this.conversation.transcript.get(m.toolCallId));
      case 'notice':
        return m.action === 'retry' ? this.retry() : run(`agentd.${m.action}`);
      case 'setup':
        return run(setupCommands[m.action], ...(m.action === 'settings' ? ['@ext:agentd-dev.agentd'] : []));
    }
  }

  /** What is done with a message that waits. */
  private async pending(id: string, action: 'remove' | 'edit' | 'steer'): Promise<void> {
    const prompt = await this.conversation.withdraw(id);
    if (prompt && action === 'edit') {
      this.giveBack([prompt]);
    } else if (prompt && action === 'steer') {
      await this.conversation.steer(prompt);
    }
  }

  private async undo(turnId: string): Promise<void> {
    const { restored, conflicts } = await this.conversation.undo(turnId);
    const lines = [
      ...restored.map((path) => `Put back: ${path}`),
      ...conflicts.map((c) => `Left alone: ${c.path}: ${c.reason}`),
    ];
    this.conversation.say(conflicts.length > 0 ? 'warning' : 'info', lines.join('\n') || 'There was nothing to put back.');
  }

  private async attach(uri: vscode.Uri | undefined): Promise<void> {
    if (uri?.scheme === 'file') {
      const { type } = await vscode.workspace.fs.stat(uri);
      this.attachments.add(fileAttachment(uri, (type & vscode.FileType.Directory) !== 0));
    }
  }
}

const setupCommands: Record<Extract<FromView, { type: 'setup' }>['action'], string> = {
  key: 'agentd.setKey',
  local: 'agentd.useLocalServer',
  server: 'agentd.useServer',
  demo: 'agentd.tryOffline',
  settings: 'workbench.action.openSettings',
  openFolder: 'vscode.openFolder',
  walkthrough: 'agentd.openWalkthrough',
};

async function run(command: string, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

/** Whether a text is one of the slash commands. */
function isCommand(text: string, commands: SlashCommand[]): boolean {
  const name = /^\/(\S+)/.exec(text)?.[1];
  return commands.some((c) => c.name === name);
}
