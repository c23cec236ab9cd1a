// Files that are dropped on the chat, and pictures that are pasted into it.
import { post } from './host';

const maxImageBytes = 8 << 20;

/** Takes drops on an element and pictures pasted into a field. */
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
      images(data?.files);
    }
  });
  field.addEventListener('paste', (event) => {
    if (images(event.clipboardData?.files)) {
      event.preventDefault();
    }
  });
}

/** Sends pictures on; true if there was one. */
function images(files: FileList | undefined): boolean {
  const pictures = [...(files ?? [])].filter((f) => f.type.startsWith('image/') && f.size <= maxImageBytes);
  for (const file of pictures) {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const [, data] = String(reader.result).split(',');
      post({ type: 'image', name: file.name || 'image', mimeType: file.type, data: data ?? '' });
    });
    reader.readAsDataURL(file);
  }
  return pictures.length > 0;
}
