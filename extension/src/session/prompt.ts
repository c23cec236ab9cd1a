// A message of the person's: its text and what is attached to it, as it is sent
// and as the daemon tells it back.
import type { ContentBlock } from '../protocol';
import type { AttachmentLabel } from '../shared/items';

/** Something attached: how it is shown, and what the model is given. */
export interface Part {
  label: AttachmentLabel;
  blocks: ContentBlock[];
}

/** A message as it was sent, to be sent again. */
export interface Prompt {
  text: string;
  parts: Part[];
}

/** What goes to the daemon. */
export function blocksOf(prompt: Prompt): ContentBlock[] {
  return [{ type: 'text', text: prompt.text }, ...prompt.parts.flatMap((p) => p.blocks)];
}

/**
 * The message that the daemon tells back. Its first text is what was typed. What
 * was too large to be kept can be sent again only by its name: the model reads it.
 */
export function promptOf(content: ContentBlock[]): Prompt {
  const first = content.findIndex((b) => b.type === 'text');
  return {
    text: content[first]?.text ?? '',
    parts: content.filter((_, i) => i !== first).map((block, i) => partOf(block, i)),
  };
}

function partOf(block: ContentBlock, i: number): Part {
  switch (block.type) {
    case 'text': {
      const [line = ''] = (block.text ?? '').split('\n');
      return { label: { id: `text-${i}`, label: short(line.replace(/:$/, '')), icon: line.startsWith('Problem in') ? 'warning' : 'selection', detail: line }, blocks: [block] };
    }
    case 'image':
      return { label: { id: `image-${i}`, label: 'image', icon: 'file-media' }, blocks: block.data ? [block] : [] };
    case 'resource': {
      const { uri = '', text = '' } = block.resource ?? {};
      return file(uri, nameOf(uri), text ? block : { type: 'resource_link', uri, name: nameOf(uri) });
    }
    case 'resource_link':
      return file(block.uri ?? '', block.name ?? nameOf(block.uri ?? ''), block);
  }
}

function file(uri: string, path: string, block: ContentBlock): Part {
  return { label: { id: uri, label: path.split('/').pop() || path, icon: 'file', detail: path }, blocks: [block] };
}

function nameOf(uri: string): string {
  const last = uri.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
