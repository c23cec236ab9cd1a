// The list of items. Elements are added and brought up to date, never made anew
// as a whole; what is far away is not laid out, and its Markdown not rendered.
import type { Item, ItemChange } from '../src/shared/items';
import { h } from './dom';
import { askView } from './items/ask';
import { confirmView } from './items/confirm';
import type { ItemView } from './items/item';
import { endView, noticeView } from './items/notice';
import { assistantView, thoughtView } from './items/text';
import { toolView } from './items/tool';
import { userView } from './items/user';

/** So many of the last items are rendered at once when a conversation is opened. */
const awake = 30;

/** Shows a conversation. */
export class Log {
  private readonly items = h('div', { testid: 'items' });
  readonly element = h('div', { class: 'log', role: 'log', label: 'Conversation', testid: 'log', attributes: { tabindex: '0', 'aria-live': 'polite', 'aria-relevant': 'additions' } }, this.items);
  private readonly views = new Map<string, ItemView<Item>>();
  private atEnd = true;
  private following = false;
  private readonly nearby = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        this.nearby.unobserve(entry.target);
        this.views.get((entry.target as HTMLElement).dataset['id'] ?? '')?.wake?.();
      }
    }
  }, { root: this.element, rootMargin: '1500px' });

  constructor() {
    this.element.addEventListener('scroll', () => {
      this.atEnd = this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < 40;
    }, { passive: true });
    // What comes into view is laid out only then, and may be taller than was thought.
    const sizes = new ResizeObserver(() => this.follow());
    sizes.observe(this.element);
    sizes.observe(this.items);
  }

  get empty(): boolean {
    return this.views.size === 0;
  }

  /** Shows another conversation. */
  reset(items: Item[]): void {
    this.views.clear();
    this.nearby.disconnect();
    const fragment = document.createDocumentFragment();
    items.forEach((item, i) => this.place(item, this.add(item, i < items.length - awake), fragment));
    this.items.replaceChildren(fragment);
    this.atEnd = true;
    this.follow();
  }

  /** Takes changes in. */
  apply(changes: ItemChange[]): void {
    for (const change of changes) {
      if (change.op === 'append') {
        this.views.get(change.id)?.append?.(change.text);
      } else if (change.op === 'drop') {
        this.views.get(change.id)?.element.remove();
        this.views.delete(change.id);
      } else {
        const known = this.views.get(change.item.id);
        if (known) {
          known.update(change.item);
        } else {
          if (change.item.kind === 'user') {
            this.atEnd = true;
          }
          this.place(change.item, this.add(change.item, false), this.items);
        }
      }
    }
    this.follow();
  }

  /** Brings an item into view and the focus to its first control. */
  reveal(id: string): void {
    const element = this.views.get(id)?.element;
    element?.scrollIntoView({ block: 'nearest' });
    element?.querySelector<HTMLElement>('vscode-button, input, textarea, button')?.focus();
  }

  /** What a subagent does stands in the card of its call. */
  private place(item: Item, element: HTMLElement, list: ParentNode): void {
    const parent = 'parent' in item && item.parent !== undefined ? this.views.get(item.parent) : undefined;
    if (parent?.adopt) {
      parent.adopt(element);
    } else {
      list.append(element);
    }
  }

  private add(item: Item, asleep: boolean): HTMLElement {
    const view = this.make(item, asleep) as ItemView<Item>;
    view.element.dataset['id'] = item.id;
    this.views.set(item.id, view);
    if (asleep && view.wake) {
      this.nearby.observe(view.element);
    }
    return view.element;
  }

  private make(item: Item, asleep: boolean): ItemView<never> {
    const grow = (): void => this.follow();
    switch (item.kind) {
      case 'user': return userView(item);
      case 'assistant': return assistantView(item, grow, asleep);
      case 'thought': return thoughtView(item, grow);
      case 'tool': return toolView(item, grow);
      case 'confirm': return confirmView(item, grow);
      case 'ask': return askView(item, grow);
      case 'notice': return noticeView(item);
      case 'end': return endView(item);
    }
  }

  /** Stays at the end, unless the person has scrolled away from it. */
  private follow(): void {
    if (this.atEnd && !this.following) {
      this.following = true;
      requestAnimationFrame(() => {
        this.following = false;
        this.element.scrollTop = this.element.scrollHeight;
      });
    }
  }
}
