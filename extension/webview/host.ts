// The line to the extension.
import type { FromView, ToView } from '../src/shared/messages';

const api = acquireVsCodeApi<{ draft: string }>();

/** Sends a message to the extension. */
export function post(message: FromView): void {
  api.postMessage(message);
}

/** Hears the extension's messages. */
export function listen(handle: (message: ToView) => void): void {
  window.addEventListener('message', (event: MessageEvent<ToView>) => handle(event.data));
}

/** What was typed and not sent; it outlives a reload of the page. */
export function draft(): string {
  return api.getState()?.draft ?? '';
}

/** Keeps what is typed. */
export function keepDraft(text: string): void {
  api.setState({ draft: text });
}
