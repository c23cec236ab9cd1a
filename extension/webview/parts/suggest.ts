// The list of completions above the input box: a listbox that the text field
// drives, as the ARIA practices describe it.
import { h, icon } from '../dom';

/** One completion. */
export interface Suggestion {
  icon: string;
  label: string;
  detail: string;
  /** What is put in place of what was typed. */
  insert: string;
}

/** Shows completions and takes the keys that choose among them. */
export class SuggestList {
  readonly element = h('div', { class: 'suggest', role: 'listbox', label: 'Completions', hidden: true, testid: 'suggest', attributes: { id: 'suggest' } });
  private list: Suggestion[] = [];
  private active = 0;

  constructor(private readonly field: HTMLTextAreaElement, private readonly choose: (s: Suggestion) => void) {
    // A field of several lines may not be called a combobox; for the rest it is one.
    field.setAttribute('aria-haspopup', 'listbox');
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-controls', 'suggest');
  }

  get open(): boolean {
    return this.list.length > 0;
  }

  /** Shows completions; none closes the list. */
  show(list: Suggestion[]): void {
    this.list = list;
    this.active = 0;
    this.element.replaceChildren(...list.map((s, i) => h('div', {
      class: 'suggestion', role: 'option', attributes: { id: `suggest-${i}` },
      on: {
        mousedown: (event) => {
          event.preventDefault(); // the field keeps the focus
          this.choose(s);
        },
      },
    }, icon(s.icon), h('span', { class: 'suggestion-label' }, s.label), h('span', { class: 'suggestion-detail' }, s.detail))));
    this.element.hidden = list.length === 0;
    this.mark();
  }

  /** Takes a key; true if it was one of ours. */
  key(event: KeyboardEvent): boolean {
    if (!this.open) {
      return false;
    }
    const chosen = this.list[this.active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.active = (this.active + (event.key === 'ArrowDown' ? 1 : this.list.length - 1)) % this.list.length;
      this.mark();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) {
      this.choose(chosen);
    } else if (event.key === 'Escape') {
      this.show([]);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  private mark(): void {
    [...this.element.children].forEach((child, i) => {
      child.setAttribute('aria-selected', String(i === this.active));
      if (i === this.active) {
        child.scrollIntoView({ block: 'nearest' });
      }
    });
    if (this.open) {
      this.field.setAttribute('aria-activedescendant', `suggest-${this.active}`);
    } else {
      this.field.removeAttribute('aria-activedescendant');
    }
  }
}
