// Makes elements. Text becomes text and nothing else; there is no way here to
// put HTML into the page (see markdown.ts for the one place that does).

type Child = Node | string | undefined | false;
interface Options {
  class?: string;
  title?: string;
  role?: string;
  label?: string;
  hidden?: boolean;
  testid?: string;
  attributes?: Record<string, string>;
  on?: { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
}

/** Makes an element with children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, options: Options, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (options.class) {
    element.className = options.class;
  }
  if (options.title) {
    element.title = options.title;
  }
  if (options.hidden) {
    element.hidden = true;
  }
  const attributes = { role: options.role, 'aria-label': options.label, 'data-testid': options.testid, ...options.attributes };
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  element.append(...children.filter((c): c is Node | string => c !== undefined && c !== false));
  return element;
}

/** A codicon; it says nothing to a screen reader. */
export function icon(name: string, extra = ''): HTMLSpanElement {
  return h('span', { class: `codicon codicon-${name} ${extra}`, attributes: { 'aria-hidden': 'true' } });
}

/** A small button with an icon and a label that a hover and a screen reader tell. */
export function iconButton(name: string, label: string, onClick: () => void, testid?: string): HTMLButtonElement {
  return h('button', { class: 'icon-button', title: label, label, testid, attributes: { type: 'button' }, on: { click: onClick } }, icon(name));
}

/** A button of the component library. */
export function button(label: string, onClick: () => void, options: { secondary?: boolean; icon?: string; testid?: string; title?: string } = {}): HTMLElement {
  const element = document.createElement('vscode-button');
  element.textContent = label;
  element.secondary = options.secondary ?? false;
  if (options.icon) {
    element.icon = options.icon;
  }
  if (options.testid) {
    element.dataset['testid'] = options.testid;
  }
  if (options.title) {
    element.title = options.title;
  }
  element.addEventListener('click', onClick);
  return element;
}
