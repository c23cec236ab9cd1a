// The messages of the agentd protocol: see protocol.md. Made by scripts/protocol.mjs from the Go types; do not edit.

/** The version of the protocol that these types describe. */
export const protocolVersion = 1;

/** Requests to the daemon. */
export interface ServerRequests {
  'initialize': { params: InitializeParams; result: InitializeResult };
  'shutdown': { params: Empty; result: Empty };
  'session/new': { params: SessionNewParams; result: SessionNewResult };
  'session/prompt': { params: PromptParams; result: PromptResult };
  'session/cancel': { params: SessionCancelParams; result: SessionCancelResult };
  'session/configure': { params: SessionConfigureParams; result: SessionConfigureResult };
  'session/load': { params: SessionLoadParams; result: SessionNewResult };
  'session/list': { params: SessionListParams; result: SessionListResult };
  'session/fork': { params: SessionForkParams; result: SessionForkResult };
  'session/rename': { params: SessionRenameParams; result: Empty };
  'session/delete': { params: SessionParams; result: Empty };
  'session/steer': { params: SessionSteerParams; result: Empty };
  'session/unsteer': { params: SessionUnsteerParams; result: UnsteerResult };
  'session/undo': { params: SessionUndoParams; result: Undone };
  'session/close': { params: SessionParams; result: Empty };
  'tools/list': { params: ToolsListParams; result: ToolsResult };
  'tools/configure': { params: ToolsConfigureParams; result: ToolsResult };
  'mcp/list': { params: SessionParams; result: MCPResult };
  'mcp/restart': { params: MCPRestartParams; result: MCPResult };
  'debug/ledger': { params: SessionParams; result: LedgerResult };
  'debug/breaker': { params: BreakerParams; result: BreakerResult };
}

/** Notifications to the daemon. */
export interface ServerNotifications {
  'initialized': Empty;
  'exit': Empty;
  'buffer/set': UnsavedBuffer;
  'buffer/clear': BufferClearParams;
  '$/cancelRequest': CancelParams;
}

/** Requests of the daemon. */
export interface ClientRequests {
  'ui/confirm': { params: ConfirmRequest; result: Answer };
  'ui/askUser': { params: AskRequest; result: AskAnswer };
  'buffer/apply': { params: BufferEdit; result: BufferResult };
}

/** Notifications of the daemon. */
export interface ClientNotifications {
  '$/cancelRequest': CancelParams;
  'session/update': Update;
  'log/message': LogParams;
}

export type SessionEvent =
  | MessageDelta
  | ThoughtDelta
  | ToolCallEvent
  | ToolOutputDelta
  | PlanEvent
  | UsageEvent
  | StateEvent
  | NoticeEvent
  | CommandsEvent
  | UserMessage
  | SessionInfoEvent
  | ConfigEvent
  | ServersEvent
  | TeamEvent;

export interface Answer {
  decision: 'allow' | 'allowSession' | 'reject' | 'abort';
  grantId?: string;
  feedback?: string;
  edits?: EditedText[];
  hunks?: {
    [k: string]: boolean;
  };
}
export interface EditedText {
  uri: string;
  text: string;
}
export interface AskAnswer {
  outcome: 'answered' | 'declined' | 'dismissed';
  answers?: {
    [k: string]: QuestionAnswer;
  };
}
export interface QuestionAnswer {
  options?: string[];
  text?: string;
}
export interface AskRequest {
  askId: string;
  sessionId: string;
  turnId: string;
  toolCallId: string;
  questions: Question[];
}
export interface Question {
  id: string;
  header?: string;
  question: string;
  options?: QuestionOption[];
  multi: boolean;
  allowText: boolean;
}
export interface QuestionOption {
  id: string;
  label: string;
  description?: string;
}
export interface Base {
  source: 'disk' | 'buffer';
  version?: number;
  sha256?: string;
}
export interface BreakerParams {
  sessionId: string;
  tool?: string;
  open?: boolean;
}
export interface BreakerResult {
  circuits: Circuit[];
}
export interface Circuit {
  tool: string;
  faults: number;
  open: boolean;
  retryInMs?: number;
}
export interface BufferClearParams {
  uri: string;
}
export interface BufferEdit {
  uri: string;
  baseVersion: number;
  text: string;
}
export interface BufferResult {
  applied: boolean;
  version: number;
}
export interface CancelParams {
  id: string | number;
}
export interface Change {
  uri: string;
  path: string;
  op: 'create' | 'modify';
  base: Base;
  oldText?: string;
  newText?: string;
  hunks: Hunk[];
}
export interface Hunk {
  id: string;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  text: string;
}
export interface ClientCapabilities {
  confirm?: ConfirmCapabilities;
  askUser?: boolean;
  buffers?: boolean;
}
export interface ConfirmCapabilities {
  hunks?: boolean;
  editContent?: boolean;
}
export interface ClientInfo {
  name: string;
  version?: string;
}
export interface Command {
  command: string;
  cwd: string;
}
export interface CommandsEvent {
  type: 'commands';
  commands: SlashCommand[];
}
export interface SlashCommand {
  name: string;
  description: string;
  input?: string;
}
export interface ConfigEvent {
  type: 'config';
  mode: 'ask' | 'plan' | 'accept-edits' | 'auto';
  model: string;
  effort?: string;
}
export interface ConfirmRequest {
  confirmId: string;
  sessionId: string;
  turnId: string;
  toolCallId: string;
  tool: string;
  level: 'safe' | 'sensitive' | 'dangerous';
  title: string;
  reason?: string;
  agent?: string;
  choices: ('allow' | 'allowSession' | 'reject' | 'abort')[];
  grants?: Grant[];
  changes?: Change[];
  command?: Command;
  input?: unknown;
}
export interface Grant {
  id: string;
  label: string;
}
export interface ContentBlock {
  type: 'text' | 'resource_link' | 'resource' | 'image';
  text?: string;
  uri?: string;
  name?: string;
  mimeType?: string;
  data?: string;
  resource?: Resource;
}
export interface Resource {
  uri: string;
  mimeType?: string;
  text: string;
}
export interface Cost {
  request: number;
  turn: number;
  session: number;
  unpriced?: number;
}
export interface Empty {}
export interface FileChange {
  path: string;
  op: string;
  hashBefore?: string;
  hashAfter?: string;
  diff?: string;
}
export interface FileLocation {
  path: string;
  line?: number;
}
export interface FunctionDefinition {
  name: string;
  description: string;
  parameters: unknown;
}
export interface FunctionTool {
  type: 'function';
  function: FunctionDefinition;
}
export interface Info {
  sessionId: string;
  title: string;
  cwd: string;
  createdAt: string;
  updatedAt: string;
}
export interface InitializeParams {
  protocolVersion: number;
  clientInfo: ClientInfo;
  processId?: number;
  capabilities: ClientCapabilities;
}
export interface InitializeResult {
  protocolVersion: number;
  serverInfo: ClientInfo;
  capabilities: ServerCapabilities;
  limits: Limits;
}
export interface ServerCapabilities {
  modes: ModeInfo[];
  commands: SlashCommand[];
  promptTypes: string[];
}
export interface ModeInfo {
  id: 'ask' | 'plan' | 'accept-edits' | 'auto';
  name: string;
  description: string;
}
export interface Limits {
  maxMessageBytes: number;
  maxBufferBytes: number;
}
export interface LedgerEntry {
  path: string;
  sha256: string;
  source: 'disk' | 'buffer';
  version?: number;
  size?: number;
  modTime?: string;
  changeTime?: string;
  inode?: number;
  lines: number;
  seen: string;
  stale?: boolean;
}
export interface LedgerResult {
  entries: LedgerEntry[];
}
export interface LogParams {
  level: 'debug' | 'info' | 'warning' | 'error';
  message: string;
  data?: {};
}
export interface MCPRestartParams {
  sessionId: string;
  name: string;
}
export interface MCPResult {
  servers: ServerStatus[];
}
export interface ServerStatus {
  name: string;
  source: 'client' | 'user' | 'workspace';
  state: 'starting' | 'ready' | 'failed';
  what: string;
  error?: string;
  warnings?: string[];
  tools?: string[];
  prompts?: string[];
  resources?: ServerResource[];
}
export interface ServerResource {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}
export interface MCPServer {
  type?: 'stdio' | 'http' | 'sse';
  name: string;
  command?: string;
  args?: string[];
  env?: NamedVariable[];
  url?: string;
  headers?: NamedVariable[];
}
export interface NamedVariable {
  name: string;
  value: string;
}
export interface Member {
  name: string;
  type?: string;
  role?: string;
  state: string;
  waiting: number;
}
export interface MessageDelta {
  type: 'message_delta';
  messageId: string;
  text: string;
}
export interface ModelInfo {
  id: string;
  name?: string;
}
export interface NoticeEvent {
  type: 'notice';
  level: 'info' | 'warning' | 'error';
  kind: string;
  message: string;
  voidMessageId?: string;
}
export interface PlanEvent {
  type: 'plan';
  entries: Step[];
}
export interface Step {
  content: string;
  priority: 'high' | 'medium' | 'low';
  status: 'pending' | 'in_progress' | 'completed';
}
export interface PromptParams {
  sessionId: string;
  prompt: ContentBlock[];
  queue?: boolean;
}
export interface PromptResult {
  turnId: string;
  stopReason: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' | 'loop_detected' | 'error';
  usage?: Usage;
  cost?: number;
  error?: TurnError;
}
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  reasoningTokens?: number;
  estimated?: boolean;
}
export interface TurnError {
  kind: string;
  message: string;
  retryable: boolean;
}
export interface ResultStats {
  elapsedMs: number;
  bytes: number;
  truncated?: boolean;
}
export interface ServersEvent {
  type: 'mcp_servers';
  servers: ServerStatus[];
}
export interface SessionCancelParams {
  sessionId: string;
  turnId?: string;
}
export interface SessionCancelResult {
  cancelled: boolean;
}
export interface SessionConfigureParams {
  sessionId: string;
  mode?: 'ask' | 'plan' | 'accept-edits' | 'auto';
  model?: string;
  effort?: string;
}
export interface SessionConfigureResult {
  mode: 'ask' | 'plan' | 'accept-edits' | 'auto';
  model: string;
  effort?: string;
}
export interface ThoughtDelta {
  type: 'thought_delta';
  messageId: string;
  text: string;
}
export interface ToolCallEvent {
  type: 'tool_call';
  toolCallId: string;
  tool: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed';
  title?: string;
  kind?: 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other';
  level?: 'safe' | 'sensitive' | 'dangerous';
  input?: unknown;
  locations?: FileLocation[];
  text?: string;
  error?: ToolError;
  changes?: FileChange[];
  stats?: ResultStats;
}
export interface ToolError {
  code: string;
  message: string;
  hint?: string;
}
export interface ToolOutputDelta {
  type: 'tool_output_delta';
  toolCallId: string;
  text: string;
}
export interface UsageEvent {
  type: 'usage';
  model: string;
  request: Usage;
  turn: Usage;
  session: Usage;
  contextTokens?: number;
  contextWindow?: number;
  cost?: Cost;
  unpriced?: boolean;
}
export interface StateEvent {
  type: 'state';
  state: 'running' | 'waiting' | 'idle';
  stopReason?: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled' | 'loop_detected' | 'error';
  error?: TurnError;
}
export interface UserMessage {
  type: 'user_message';
  messageId: string;
  content: ContentBlock[];
}
export interface SessionInfoEvent {
  type: 'session_info';
  title: string;
}
export interface TeamEvent {
  type: 'team';
  members: Member[];
}
export interface SessionForkParams {
  sessionId: string;
  turnId?: string;
}
export interface SessionForkResult {
  sessionId: string;
}
export interface SessionListParams {
  cwd?: string;
  cursor?: string;
  limit?: number;
}
export interface SessionListResult {
  sessions: Info[];
  nextCursor?: string;
}
export interface SessionLoadParams {
  sessionId: string;
  cwd?: string;
  roots?: string[];
  model?: string;
  mode?: 'ask' | 'plan' | 'accept-edits' | 'auto';
  enable?: string[];
  trusted?: boolean;
  mcpServers?: MCPServer[];
}
export interface SessionNewParams {
  cwd: string;
  roots?: string[];
  model?: string;
  mode?: 'ask' | 'plan' | 'accept-edits' | 'auto';
  enable?: string[];
  trusted?: boolean;
  mcpServers?: MCPServer[];
}
export interface SessionNewResult {
  sessionId: string;
  title?: string;
  model: string;
  models: ModelInfo[];
  mode: 'ask' | 'plan' | 'accept-edits' | 'auto';
  modes: ModeInfo[];
  tools: ToolInfo[];
  commands: SlashCommand[];
}
export interface ToolInfo {
  name: string;
  title: string;
  description: string;
  kind: 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other';
  level: 'safe' | 'sensitive' | 'dangerous';
  enabled: boolean;
  function: FunctionTool;
}
export interface SessionParams {
  sessionId: string;
}
export interface SessionRenameParams {
  sessionId: string;
  title: string;
}
export interface SessionSteerParams {
  sessionId: string;
  prompt: ContentBlock[];
  steerId?: string;
}
export interface SessionUndoParams {
  sessionId: string;
  turnId?: string;
}
export interface SessionUnsteerParams {
  sessionId: string;
  steerId: string;
}
export interface ToolsConfigureParams {
  sessionId: string;
  enable?: string[];
  disable?: string[];
}
export interface ToolsListParams {
  sessionId?: string;
}
export interface ToolsResult {
  tools: ToolInfo[];
}
export interface UndoConflict {
  path: string;
  reason: string;
}
export interface Undone {
  turnId: string;
  restored: string[];
  conflicts: UndoConflict[];
}
export interface UnsavedBuffer {
  uri: string;
  version: number;
  text: string;
}
export interface UnsteerResult {
  withdrawn: boolean;
}
export interface Update {
  sessionId: string;
  turnId?: string;
  seq: number;
  parentToolCallId?: string;
  update: SessionEvent;
}
