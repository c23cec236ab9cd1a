// The messages between the extension and its webview.
import type { Step, QuestionAnswer, SlashCommand, UsageEvent } from '../protocol';
import type { AttachmentLabel, Item, ItemChange, NoticeAction, PendingLabel } from './items';

/** What stands around the conversation. */
export interface ChatState {
  phase: 'starting' | 'setup' | 'noFolder' | 'ready' | 'failed';
  /** Why it failed, or what is to be set up. */
  problem?: string;
  /** A model server on this machine that answers. */
  localServer?: { name: string; url: string };
  activity: 'idle' | 'running' | 'waiting';
  mode: string;
  modeName: string;
  model: string;
  folder: string;
  commands: SlashCommand[];
  plan: Step[];
  usage?: UsageEvent;
  /** The messages that wait while a turn runs. */
  pending: PendingLabel[];
  /** The last chats, while this one is empty. */
  recent: RecentChat[];
}

/** A chat that can be opened again. */
export interface RecentChat {
  id: string;
  title: string;
  folder: string;
  updatedAt: string;
}

/** A file that a mention can name. */
export interface FileMatch {
  /** Relative to its folder, with slashes. */
  path: string;
  name: string;
  folder: string;
}

/** From the extension to the webview. */
export type ToView =
  | { type: 'reset'; items: Item[] }
  | { type: 'changes'; changes: ItemChange[] }
  | { type: 'state'; state: ChatState }
  | { type: 'attachments'; attachments: AttachmentLabel[] }
  | { type: 'files'; query: string; files: FileMatch[] }
  /** Puts a text into the input box, and the cursor behind it; it may be meant in place of an earlier message. */
  | { type: 'draft'; text: string; replace: boolean; editing?: string }
  | { type: 'reveal'; id: string };

/** From the webview to the extension. */
export type FromView =
  | { type: 'ready' }
  | { type: 'send'; text: string; how: 'steer' | 'queue'; editing?: string }
  | { type: 'edit' | 'fork'; id: string }
  | { type: 'pending'; id: string; action: 'remove' | 'edit' | 'steer' }
  | { type: 'openChat'; id: string; folder: string }
  | { type: 'stop' | 'pickMode' | 'pickModel' | 'attach' }
  | { type: 'detach'; id: string }
  | { type: 'findFiles'; query: string }
  | { type: 'drop'; uris: string[] }
  | { type: 'image'; name: string; mimeType: string; data: string }
  /** The text of a file from outside the editor, or why a file cannot be attached. */
  | { type: 'text'; name: string; text: string }
  | { type: 'refused'; name: string; why: string }
  | { type: 'openFile'; path: string; line?: number }
  | { type: 'openLink'; href: string }
  | { type: 'code'; action: 'copy' | 'insert' | 'create'; text: string; language: string }
  | { type: 'confirm'; id: string; decision: 'allow' | 'allowSession' | 'reject' | 'abort'; grantId?: string; feedback?: string }
  | { type: 'review'; id: string; file: number | 'all' }
  | { type: 'answer'; id: string; outcome: 'answered' | 'declined'; answers?: Record<string, QuestionAnswer> }
  | { type: 'undo'; turnId: string }
  | { type: 'terminal'; toolCallId: string }
  | { type: 'notice'; action: NoticeAction['action'] }
  | { type: 'setup'; action: 'key' | 'local' | 'server' | 'demo' | 'settings' | 'openFolder' | 'walkthrough' };
