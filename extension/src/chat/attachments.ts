// What is attached to the next message: files, selections, problems, pictures.
import * as vscode from 'vscode';
import type { ContentBlock } from '../protocol';
import type { AttachmentLabel } from '../shared/items';
import { shownPath } from '../session/folders';
import { fence } from './fence';

/** An attachment: how it is shown, and what the model is given. */
export interface Attachment {
  label: AttachmentLabel;
  blocks: () => Promise<ContentBlock[]>;
}

/** A file larger than this is only named; the model reads what it needs. */
const maxWhole = 100_000;

/** The attachments of the message that is being written. */
export class Attachments {
  private list: Attachment[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onChange = this.changed.event;

  get labels(): AttachmentLabel[] {
    return this.list.map((a) => a.label);
  }

  add(...attachments: Attachment[]): void {
    for (const a of attachments) {
      this.list = [...this.list.filter((b) => b.label.id !== a.label.id), a];
    }
    this.changed.fire();
  }

  remove(id: string): void {
    this.list = this.list.filter((a) => a.label.id !== id);
    this.changed.fire();
  }

  /** Empties the list and gives what was in it. */
  take(): Attachment[] {
    const { list } = this;
    this.list = [];
    this.changed.fire();
    return list;
  }
}

/** A file or folder. Small text files go whole and count as read. */
export function fileAttachment(uri: vscode.Uri, isFolder = false): Attachment {
  const path = shownPath(uri);
  return {
    label: { id: uri.toString(), label: path.split('/').pop() || path, icon: isFolder ? 'folder' : 'file', detail: path },
    blocks: async () => {
      const link: ContentBlock = { type: 'resource_link', uri: uri.toString(), name: path };
      if (isFolder) {
        return [link];
      }
      try {
        const { size } = await vscode.workspace.fs.stat(uri);
        if (size > maxWhole) {
          return [link];
        }
        const document = await vscode.workspace.openTextDocument(uri);
        return [{ type: 'resource', resource: { uri: uri.toString(), text: document.getText() } }];
      } catch {
        return [link]; // no text: the model is told where it is
      }
    },
  };
}

/** The selected lines of a document, as they are now. */
export function selectionAttachment(document: vscode.TextDocument, range: vscode.Range): Attachment {
  const path = shownPath(document.uri);
  const first = range.start.line + 1;
  const last = range.end.line + (range.end.character === 0 && range.end.line > range.start.line ? 0 : 1);
  const where = first === last ? `${path}:${first}` : `${path}:${first}-${last}`;
  const text = document.getText(range);
  return {
    label: { id: `${document.uri.toString()}#${first}-${last}`, label: where.split('/').pop() ?? where, icon: 'selection', detail: where },
    blocks: async () => [{ type: 'text', text: `Lines ${first} to ${last} of ${path}:\n${fence(text, document.languageId)}` }],
  };
}

/** A problem that the editor shows. */
export function problemAttachment(uri: vscode.Uri, d: vscode.Diagnostic): Attachment {
  const where = `${shownPath(uri)}:${d.range.start.line + 1}`;
  const source = [d.source, typeof d.code === 'object' ? d.code.value : d.code].filter((s) => s !== undefined).join(' ');
  return {
    label: { id: `problem:${where}:${d.message}`, label: where.split('/').pop() ?? where, icon: d.severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning', detail: d.message },
    blocks: async () => [{ type: 'text', text: `Problem in ${where}${source ? ` (${source})` : ''}: ${d.message}` }],
  };
}

/** A picture, base64. */
export function imageAttachment(name: string, mimeType: string, data: string): Attachment {
  return { label: { id: `image:${name}:${data.length}`, label: name, icon: 'file-media', detail: name }, blocks: async () => [{ type: 'image', mimeType, data }] };
}

/** The text of a file that is in no folder of the window: it goes as it is. */
export function textAttachment(name: string, text: string): Attachment {
  return {
    label: { id: `text:${name}:${text.length}`, label: name, icon: 'file', detail: `${name}, a copy` },
    blocks: async () => [{ type: 'text', text: `The file ${name}:\n${fence(text, '')}` }],
  };
}
