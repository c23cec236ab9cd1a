// What the chat shows before the first message: how to begin, or what is missing.
import { ago } from '../../src/shared/ago';
import type { ChatState, FromView, RecentChat } from '../../src/shared/messages';
import { button, h, icon } from '../dom';
import { post } from '../host';

type SetupAction = Extract<FromView, { type: 'setup' }>['action'];

/** Shows the way in. */
export class Welcome {
  readonly element = h('div', { class: 'welcome', testid: 'welcome' });
  private shown = '';

  /** Takes the chat's state over; with items in the conversation it only tells problems. */
  update(state: ChatState, empty: boolean): void {
    const key = JSON.stringify([state.phase, state.problem, state.localServer, empty, state.recent]);
    if (key !== this.shown) {
      this.shown = key;
      this.element.replaceChildren(...content(state));
    }
    this.element.hidden = state.phase === 'ready' && !empty;
    this.element.dataset['phase'] = state.phase;
  }
}

function content(state: ChatState): Node[] {
  const setup = (action: SetupAction) => (): void => post({ type: 'setup', action });
  const demo = button('Try it offline', setup('demo'), { secondary: true, icon: 'play', testid: 'setup-demo', title: 'A script, not a model, works on a sample project' });
  switch (state.phase) {
    case 'starting':
      return [h('p', { class: 'muted' }, icon('loading', 'codicon-modifier-spin'), ' Starting…')];
    case 'noFolder':
      return [head('Open a folder'), h('p', {}, 'agentd works in the folders of the window.'), buttons(button('Open folder', setup('openFolder'), { icon: 'folder-opened', testid: 'setup-folder' }), demo)];
    case 'setup':
      return [
        head('Choose a model'),
        h('p', {}, 'agentd needs a model: any server that speaks OpenAI\'s API, in the cloud or on your machine.'),
        buttons(
          ...(state.localServer ? [button(`Use ${state.localServer.name} on this machine`, setup('local'), { icon: 'vm', testid: 'setup-local', title: state.localServer.url })] : []),
          button('Enter an API key', setup('key'), { icon: 'key', testid: 'setup-key', secondary: state.localServer !== undefined }),
          button('Another server', setup('server'), { secondary: true, icon: 'server', testid: 'setup-server' }),
          demo,
        ),
        h('p', { class: 'muted' }, 'The key is kept in the editor\'s secret storage.'),
      ];
    case 'failed':
      return [
        head('agentd could not start'),
        h('p', { class: 'problem', role: 'alert' }, state.problem ?? ''),
        buttons(
          button('Try again', () => post({ type: 'notice', action: 'restart' }), { icon: 'refresh', testid: 'setup-retry' }),
          button('Show log', () => post({ type: 'notice', action: 'showLog' }), { secondary: true, icon: 'output' }),
          button('Settings', setup('settings'), { secondary: true, icon: 'gear' }),
        ),
      ];
    case 'ready':
      return [
        head('What shall be done?'),
        h('ul', { class: 'hints' },
          hint('diff', 'Every edit is shown to you as a diff. Accept it whole, in parts, or change it: what you approve is what is written.'),
          hint('mention', 'Name files with @, attach a selection, a problem or a picture.'),
          hint('debug-stop', 'Stop at any time; Undo puts a turn\'s files back.'),
        ),
        h('button', { class: 'link', attributes: { type: 'button' }, on: { click: setup('walkthrough') } }, 'Show me around'),
        ...recent(state.recent),
      ];
  }
}

/** The last chats of the folder. */
function recent(list: RecentChat[]): Node[] {
  if (list.length === 0) {
    return [];
  }
  return [
    h('h3', { class: 'recent-head' }, 'Recent chats'),
    h('ul', { class: 'recent', testid: 'recent' }, ...list.map((chat) => h('li', {},
      h('button', { class: 'recent-chat', title: chat.title, attributes: { type: 'button' }, on: { click: () => post({ type: 'openChat', id: chat.id, folder: chat.folder }) } },
        icon('comment-discussion'), h('span', { class: 'recent-title' }, chat.title), h('span', { class: 'recent-time' }, ago(chat.updatedAt)))))),
    h('button', { class: 'link', testid: 'all-chats', attributes: { type: 'button' }, on: { click: () => post({ type: 'notice', action: 'chats' }) } }, 'All chats…'),
  ];
}

function head(text: string): HTMLElement {
  return h('h2', {}, text);
}

function buttons(...list: HTMLElement[]): HTMLElement {
  return h('div', { class: 'welcome-buttons' }, ...list);
}

function hint(name: string, text: string): HTMLElement {
  return h('li', {}, icon(name), h('span', {}, text));
}
