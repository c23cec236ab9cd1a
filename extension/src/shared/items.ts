// What a conversation consists of, as the chat shows it. Plain data: it goes to
// the webview as it is.
import type { FileChange, FileLocation, Grant, Question, QuestionAnswer, ToolCallEvent } from '../protocol';

/** Something that the person said. */
export interface UserItem {
  kind: 'user';
  id: string;
  text: string;
  attachments: AttachmentLabel[];
  /** The turn that it began; a message into a running turn has none. */
  turnId?: string;
}

/** A message that waits while a turn runs. */
export interface PendingLabel {
  id: string;
  text: string;
  /** How much is attached to it. */
  attachments: number;
  /** It is on its way into the running turn. */
  steering: boolean;
}

/** What is attached to a message, as a chip. */
export interface AttachmentLabel {
  id: string;
  label: string;
  icon: string;
  /** What a hover says. */
  detail?: string;
}

/** A reply of the model, or a piece of its reasoning, in Markdown. */
export interface TextItem {
  kind: 'assistant' | 'thought';
  id: string;
  text: string;
  /** Nothing more comes. */
  done: boolean;
  /** The call of the subagent whose text it is. */
  parent?: string;
}

/** A tool call. */
export interface ToolItem {
  kind: 'tool';
  id: string;
  tool: string;
  title: string;
  toolKind: NonNullable<ToolCallEvent['kind']>;
  status: ToolCallEvent['status'];
  locations: FileLocation[];
  /** The arguments as JSON, or as the model wrote them. */
  input?: string;
  /** Live output. */
  output: string;
  /** The result as the model reads it. */
  text?: string;
  error?: string;
  changes?: FileChange[];
  elapsedMs?: number;
  /** The call of the subagent that made this one. */
  parent?: string;
}

/** Something that the person should know. */
export interface NoticeItem {
  kind: 'notice';
  id: string;
  level: 'info' | 'warning' | 'error';
  text: string;
  /** Buttons under it. */
  actions?: NoticeAction[];
}

/** A button of a notice. */
export interface NoticeAction {
  label: string;
  action: 'showLog' | 'retry' | 'restart' | 'chats' | 'setKey';
}

/** A file of a confirmation. */
export interface ReviewedFile {
  path: string;
  op: 'create' | 'modify';
  added: number;
  removed: number;
  /** The diff, cut when it is long. */
  diff: string;
  /** Decided; the answer is given when all files are. */
  settled?: 'accepted' | 'rejected';
}

/** May this call run? */
export interface ConfirmItem {
  kind: 'confirm';
  id: string;
  toolCallId: string;
  title: string;
  reason?: string;
  /** The task of the subagent that asks. */
  agent?: string;
  level: 'safe' | 'sensitive' | 'dangerous';
  command?: { command: string; cwd: string };
  input?: string;
  files: ReviewedFile[];
  grants: Grant[];
  canAbort: boolean;
  /** Why an approval would be refused now, e.g. that the file has changed. */
  warning?: string;
  /** How it was settled; while it is missing the question is open. */
  outcome?: string;
}

/** Questions of the model's. */
export interface AskItem {
  kind: 'ask';
  id: string;
  questions: Question[];
  outcome?: 'answered' | 'declined' | 'dismissed';
  answers?: Record<string, QuestionAnswer>;
}

/** The end of a turn that changed files, or that ended out of the ordinary. */
export interface EndItem {
  kind: 'end';
  id: string;
  turnId: string;
  text: string;
  level: 'info' | 'warning' | 'error';
  /** The files that the turn changed; they can be put back. */
  changed: string[];
  retryable: boolean;
  /** The server wants a key, or another one. */
  wantsKey?: boolean;
}

/** One entry of a conversation. */
export type Item = UserItem | TextItem | ToolItem | NoticeItem | ConfirmItem | AskItem | EndItem;

/** A change of the list of items. */
export type ItemChange =
  | { op: 'put'; item: Item }
  /** More text at the end of a text item, or more output of a tool. */
  | { op: 'append'; id: string; text: string }
  | { op: 'drop'; id: string };
