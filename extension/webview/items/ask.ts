// Questions of the model's: options, several of them if allowed, a text of one's own.
import type { QuestionAnswer, Question } from '../../src/protocol';
import type { AskItem } from '../../src/shared/items';
import { button, h, icon } from '../dom';
import { post } from '../host';
import type { ItemView } from './item';

/** Shows questions. */
export function askView(first: AskItem, onGrow: () => void): ItemView<AskItem> {
  const element = h('section', { class: 'item card ask', testid: 'ask', label: 'The agent asks' });
  const update = (item: AskItem): void => {
    element.classList.toggle('open', item.outcome === undefined);
    element.replaceChildren(...(item.outcome === undefined ? form(item) : item.questions.map((q) => closed(q, item))));
    onGrow();
  };
  update(first);
  return { element, update };
}

function form(item: AskItem): Node[] {
  const parts = item.questions.map((q) => field(q, item.id));
  const send = (): void => {
    const answers = Object.fromEntries(parts.map((p, i) => [item.questions[i]?.id ?? '', p.read()]));
    post({ type: 'answer', id: item.id, outcome: 'answered', answers });
  };
  // One question with one choice is answered by the choice.
  const [only] = item.questions;
  if (item.questions.length === 1 && only && !only.multi && !only.allowText) {
    parts[0]?.onChoose(send);
  }
  parts.forEach((p) => p.onEnter(send));
  return [
    ...parts.map((p) => p.element),
    h('div', { class: 'buttons' },
      button('Answer', send, { testid: 'answer' }),
      button('Skip', () => post({ type: 'answer', id: item.id, outcome: 'declined' }), { secondary: true, testid: 'decline', title: 'Do not answer; the agent decides' }),
    ),
  ];
}

interface Field {
  element: HTMLElement;
  read: () => QuestionAnswer;
  onChoose: (f: () => void) => void;
  onEnter: (f: () => void) => void;
}

function field(q: Question, scope: string): Field {
  const boxes = (q.options ?? []).map((o) => {
    const input = h('input', { attributes: { type: q.multi ? 'checkbox' : 'radio', name: `${scope}/${q.id}`, value: o.id } });
    const label = h('label', { class: 'option', testid: 'option' }, input, h('span', { class: 'option-text' }, h('span', {}, o.label), !!o.description && h('span', { class: 'option-more' }, o.description)));
    return { input, label };
  });
  const text = h('textarea', { class: 'field', label: boxes.length > 0 ? 'Or an answer of your own' : q.question, testid: 'ask-text', attributes: { rows: boxes.length > 0 ? '1' : '2', placeholder: boxes.length > 0 ? 'Or in your own words…' : 'Your answer…' } });
  const hasText = q.allowText || boxes.length === 0;
  const element = h('fieldset', { class: 'question' },
    h('legend', {}, icon('question'), !!q.header && h('span', { class: 'question-header' }, q.header), h('span', {}, q.question)),
    ...boxes.map((b) => b.label),
    hasText && text,
  );
  return {
    element,
    read: () => {
      const options = boxes.filter((b) => b.input.checked).map((b) => b.input.value);
      return { ...(options.length > 0 ? { options } : {}), ...(text.value.trim() ? { text: text.value.trim() } : {}) };
    },
    onChoose: (f) => boxes.forEach((b) => b.input.addEventListener('click', f)),
    onEnter: (f) => text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        f();
      }
    }),
  };
}

/** A question after it was answered; the call above says what it was. */
function closed(q: Question, item: AskItem): Node {
  const given = item.answers?.[q.id];
  const labels = (given?.options ?? []).map((id) => q.options?.find((o) => o.id === id)?.label ?? id);
  const text = item.outcome === 'answered' ? [...labels, given?.text].filter(Boolean).join(', ') || 'No answer' : item.outcome === 'declined' ? 'Skipped' : 'Closed';
  return h('div', { class: 'card-closed', title: q.question }, icon('comment'), item.questions.length > 1 && h('span', {}, `${q.header ?? q.question}:`), h('span', { class: 'outcome', testid: 'ask-outcome' }, text));
}
