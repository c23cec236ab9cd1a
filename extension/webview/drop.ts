// Files that are dropped on the chat or pasted into it.
import type { FromView } from '../src/shared/messages';
import { post } from './host';

const maxImageBytes = 8 << 20;
const maxTextBytes = 200_000;
/** The kinds that models take. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Takes drops on an element and files pasted into a field. */
export function dropped(element: HTMLElement, field: HTMLTextAreaElement): void {
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    element.classList.add('dropping');
  });
  element.addEventListener('dragleave', () => element.classList.remove('dropping'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    element.classList.remove('dropping');
    const data = event.dataTransfer;
    const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
    const uris = list.split(/\r?\n/).filter((line) => line && !line.startsWith('#'));
    if (uris.length > 0) {
      post({ type: 'drop', uris });
    } else {
      take([...(data?.files ?? [])]);
    }
  });
  field.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // A text that is copied elsewhere may come with its picture: it is the text that is meant.
    if (files.length > 0 && !event.clipboardData?.types.includes('text/plain')) {
      event.preventDefault();
      take(files);
    }
  });
}

/** Sends files on: pictures as they are, others as text. */
function take(files: File[]): void {
  for (const file of files) {
    void (pictures.includes(file.type) ? picture(file) : text(file)).then(post);
  }
}

async function picture(file: File): Promise<FromView> {
  const name = file.name || 'image';
  if (file.size > maxImageBytes) {
    return { type: 'refused', name, why: 'it is larger than 8 MB' };
  }
  const url = await new Promise<string>((done) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => done(String(reader.result)));
    reader.addEventListener('error', () => done(''));
    reader.readAsDataURL(file);
  });
  const data = url.split(',')[1];
  return data ? { type: 'image', name, mimeType: file.type, data } : { type: 'refused', name, why: 'it cannot be read' };
}

async function text(file: File): Promise<FromView> {
  const { name } = file;
  if (file.size > maxTextBytes) {
    return { type: 'refused', name, why: 'it is larger than 200 kB. Copy it into the folder, and name it with @' };
  }
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return decoded.includes('\0') ? { type: 'refused', name, why: 'it is no text' } : { type: 'text', name, text: decoded };
  } catch {
    return { type: 'refused', name, why: 'it is no text' };
  }
}
