// The chat's page: the conversation, what stands above the input box, and the box.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { ChatState } from '../src/shared/messages';
import { Composer } from './composer';
import { listen, post } from './host';
import { Log } from './log';
import { Progress } from './parts/progress';
import { Welcome } from './parts/welcome';

const composer = new Composer();
const log = new Log();
const welcome = new Welcome();
const progress = new Progress();
let state: ChatState | undefined;

const app = document.getElementById('app');
app?.append(welcome.element, log.element, progress.element, composer.element);

function show(): void {
  if (state) {
    welcome.update(state, log.empty);
    document.body.classList.toggle('empty', log.empty);
    document.body.classList.toggle('busy', state.activity !== 'idle');
    document.body.dataset['phase'] = state.phase;
  }
}

listen((message) => {
  switch (message.type) {
    case 'reset':
      log.reset(message.items);
      composer.reset();
      show();
      break;
    case 'changes':
      log.apply(message.changes);
      show();
      break;
    case 'state':
      state = message.state;
      composer.update(state);
      progress.update(state);
      show();
      break;
    case 'attachments':
      composer.attachments(message.attachments);
      break;
    case 'files':
      composer.files(message.query, message.files);
      break;
    case 'draft':
      composer.draft(message.text, message.replace, message.editing);
      break;
    case 'reveal':
      log.reveal(message.id);
      break;
  }
});

// A link in a reply never leads the page away: the extension opens it.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link) {
    event.preventDefault();
    const href = link.dataset['href'];
    if (href) {
      post({ type: 'openLink', href });
    }
  }
});
window.addEventListener('focus', () => {
  if (document.activeElement === document.body) {
    composer.focus();
  }
});

post({ type: 'ready' });
