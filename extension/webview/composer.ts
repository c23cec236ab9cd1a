// The box in which messages are written. While a turn runs it stays usable:
// Enter sends the message into the turn, Alt+Enter lets it wait for the end.
import type { AttachmentLabel } from '../src/shared/items';
import { mentionOf } from '../src/shared/mention';
import type { ChatState, FileMatch } from '../src/shared/messages';
import { matchCommands, typing, type Typing } from './completion';
import { h, icon, iconButton } from './dom';
import { dropped } from './drop';
import { draft, keepDraft, post } from './host';
import { PendingList } from './parts/pending';
import { SuggestList, type Suggestion } from './parts/suggest';

/** The input box with its attachments, completions, pickers and buttons. */
export class Composer {
  readonly element: HTMLElement;
  private readonly field = h('textarea', { class: 'input', label: 'Message to the agent', testid: 'input', attributes: { rows: '1' } });
  private readonly chips = h('div', { class: 'chips', testid: 'attachments' });
  private readonly suggest = new SuggestList(this.field, (s) => this.complete(s));
  private readonly pending = new PendingList();
  private readonly mode = h('button', { class: 'picker', testid: 'mode', attributes: { type: 'button' }, on: { click: () => post({ type: 'pickMode' }) } });
  private readonly model = h('button', { class: 'picker model', testid: 'model', attributes: { type: 'button' }, on: { click: () => post({ type: 'pickModel' }) } });
  private readonly send = iconButton('send', 'Send (Enter)', () => this.submit('steer'), 'send');
  private readonly queue = iconButton('clockface', 'Queue: send when the turn is over (Alt+Enter)', () => this.submit('queue'), 'queue');
  private readonly stop = iconButton('debug-stop', 'Stop (Escape)', () => post({ type: 'stop' }), 'stop');
  private readonly banner = h('div', { class: 'editing', hidden: true, testid: 'editing' },
    icon('edit'), h('span', {}, 'In place of an earlier message. The chat as it was stays in the list.'), iconButton('close', 'Do not edit (Escape)', () => this.edit(undefined, this.kept), 'editing-cancel'));
  private state: ChatState | undefined;
  private typed: Typing | undefined;
  /** The message in whose place this one is sent. */
  private editing: string | undefined;
  /** What was typed before that, to go on with. */
  private kept = '';

  constructor() {
    this.element = h('div', { class: 'composer' },
      this.suggest.element,
      this.pending.element,
      h('div', { class: 'input-box' },
        this.banner,
        this.chips,
        this.field,
        h('div', { class: 'toolbar' }, iconButton('attach', 'Attach a file, a selection, a problem or an image', () => post({ type: 'attach' }), 'attach'), this.mode, this.model, h('span', { class: 'space' }), this.queue, this.send, this.stop),
      ),
    );
    this.field.value = draft();
    this.field.addEventListener('input', () => this.onInput());
    this.field.addEventListener('click', () => this.onInput());
    this.field.addEventListener('blur', () => this.suggest.show([]));
    this.field.addEventListener('keydown', (event) => this.onKey(event));
    dropped(this.element, this.field);
    let width = 0;
    new ResizeObserver(() => { // also when the chat is shown again
      if (this.element.clientWidth !== width) {
        width = this.element.clientWidth;
        this.resize();
      }
    }).observe(this.element);
    this.attachments([]);
  }

  /** Takes the chat's state over. */
  update(state: ChatState): void {
    this.state = state;
    this.pending.update(state.pending);
    this.buttons();
    this.mode.replaceChildren(state.modeName || 'Mode', icon('chevron-down'));
    this.mode.title = `Mode: ${state.modeName}. What may be done without asking?`;
    this.model.replaceChildren(h('span', { class: 'picker-text' }, state.model || 'Model'), icon('chevron-down'));
    this.model.title = `Model: ${state.model}`;
    this.field.placeholder = this.busy ? 'Enter sends it now, Alt+Enter after this turn' : 'Ask or say what to do. @ file, / command';
    this.resize();
  }

  /** Shows the attachments. */
  attachments(list: AttachmentLabel[]): void {
    this.chips.hidden = list.length === 0;
    this.chips.replaceChildren(...list.map((a) => h('span', { class: 'chip', title: a.detail ?? a.label, testid: 'attachment' }, icon(a.icon), h('span', {}, a.label), iconButton('close', `Remove ${a.label}`, () => post({ type: 'detach', id: a.id })))));
  }

  /** Shows the files that a mention may mean. */
  files(query: string, files: FileMatch[]): void {
    if (this.typed?.kind === 'file' && this.typed.query === query) {
      this.suggest.show(files.map((f) => ({ icon: 'file', label: f.name, detail: f.folder, insert: `${mentionOf(f.path)} ` })));
    }
  }

  /** Puts a text into the box. */
  draft(text: string, replace: boolean, editing?: string): void {
    const before = this.field.value;
    if (replace) {
      this.edit(editing, text);
    } else {
      this.set(before.trim() && text ? `${before.trimEnd()}\n\n${text}` : before + text);
    }
    this.field.focus();
  }

  /** Another conversation is shown: what would be put in place of an earlier message is a message of its own. */
  reset(): void {
    this.editing = undefined;
    this.kept = '';
    this.banner.hidden = true;
  }

  focus(): void {
    this.field.focus();
  }

  private get busy(): boolean {
    return this.state !== undefined && this.state.activity !== 'idle';
  }

  private edit(id: string | undefined, text: string): void {
    this.kept = id === undefined ? '' : this.editing === undefined ? this.field.value : this.kept;
    this.editing = id;
    this.banner.hidden = id === undefined;
    this.set(text);
  }

  private set(text: string): void {
    this.field.value = text;
    keepDraft(text);
    this.resize();
    this.buttons();
  }

  /** Stop is there while a turn runs; the others, too, as soon as something is typed. */
  private buttons(): void {
    const { busy } = this;
    const typed = this.field.value.trim() !== '';
    this.stop.hidden = !busy;
    this.queue.hidden = !busy || !typed;
    this.send.hidden = busy && !typed;
    const label = busy ? 'Send into the running turn (Enter)' : 'Send (Enter)';
    this.send.title = label;
    this.send.setAttribute('aria-label', label);
  }

  private submit(how: 'steer' | 'queue'): void {
    const text = this.field.value.trim();
    if (!text || this.state?.phase !== 'ready') {
      return;
    }
    const { editing } = this;
    this.edit(undefined, this.kept);
    this.suggest.show([]);
    post({ type: 'send', text, how, editing });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing || this.suggest.key(event)) {
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.submit(event.altKey ? 'queue' : 'steer');
    } else if (event.key === 'Escape' && this.editing !== undefined) {
      this.edit(undefined, this.kept);
    } else if (event.key === 'Escape' && this.busy) {
      post({ type: 'stop' });
    }
  }

  private onInput(): void {
    this.resize();
    this.buttons();
    keepDraft(this.field.value);
    this.typed = typing(this.field.value, this.field.selectionStart);
    if (this.typed?.kind === 'command') {
      const commands = matchCommands(this.state?.commands ?? [], this.typed.query);
      this.suggest.show(commands.map((c): Suggestion => ({ icon: 'terminal', label: `/${c.name}`, detail: [c.description, c.input].filter(Boolean).join(': '), insert: `/${c.name} ` })));
    } else if (this.typed) {
      post({ type: 'findFiles', query: this.typed.query });
    } else {
      this.suggest.show([]);
    }
  }

  private complete(s: Suggestion): void {
    if (this.typed) {
      this.field.setRangeText(s.insert, this.typed.start, this.typed.end, 'end');
    }
    this.typed = undefined;
    this.suggest.show([]);
    this.set(this.field.value);
  }

  /** The box grows with its text, up to a third of the view. */
  private resize(): void {
    const rows = this.field.value.split('\n').length;
    this.field.rows = Math.min(12, rows);
    this.field.style.height = 'auto';
    this.field.style.height = `${Math.min(this.field.scrollHeight, window.innerHeight / 3)}px`;
  }
}
