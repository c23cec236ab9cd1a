// A reply of the model, or its reasoning, which is folded.
import type { TextItem } from '../../src/shared/items';
import { h, icon } from '../dom';
import { GrowingMarkdown } from '../growing';
import type { ItemView } from './item';

/** Shows a reply. */
export function assistantView(item: TextItem, onGrow: () => void, asleep: boolean): ItemView<TextItem> {
  const markdown = new GrowingMarkdown(item.text, onGrow);
  const element = h('article', { class: 'item assistant', label: 'Agent', testid: 'assistant' }, markdown.element);
  let sleeping = asleep;
  if (asleep) {
    markdown.plain();
  } else {
    markdown.render();
  }
  return {
    element,
    update: (next) => markdown.set(next.text),
    append: (text) => markdown.append(text),
    wake: () => {
      if (sleeping) {
        sleeping = false;
        markdown.render();
      }
    },
  };
}

/** Shows reasoning: one line while it is folded. */
export function thoughtView(item: TextItem, onGrow: () => void): ItemView<TextItem> {
  const markdown = new GrowingMarkdown(item.text, onGrow);
  const label = h('span', {});
  const details = h('details', { class: 'item thought', testid: 'thought' }, h('summary', {}, icon('lightbulb'), label), markdown.element);
  details.addEventListener('toggle', () => details.open && markdown.render());
  const show = (done: boolean): void => {
    label.textContent = done ? 'Thought' : 'Thinking…';
    details.classList.toggle('busy', !done);
  };
  show(item.done);
  return {
    element: details,
    update: (next) => {
      markdown.set(next.text);
      show(next.done);
    },
    append: (text) => markdown.append(text),
  };
}
