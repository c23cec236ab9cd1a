// A text that grows while the model writes it. Only the blocks that have changed
// are made anew, as a rule the last; a long text is rendered less often, so that
// the view stays quick.
import { codeBar } from './parts/codebar';
import { blocks, elements } from './markdown';

/** Shows Markdown that grows. */
export class GrowingMarkdown {
  readonly element = document.createElement('div');
  private rendered: { html: string; nodes: ChildNode[] }[] = [];
  private scheduled = false;
  private costMs = 0;

  constructor(private text: string, private readonly onGrow: () => void = () => undefined) {
    this.element.className = 'markdown';
  }

  /** The whole text. */
  get value(): string {
    return this.text;
  }

  /** Adds to the end. */
  append(text: string): void {
    this.text += text;
    this.schedule();
  }

  /** Replaces the text. */
  set(text: string): void {
    if (text !== this.text) {
      this.text = text;
      this.schedule();
    }
  }

  /** Shows the text as it is, without the Markdown: quick, for what is far away. */
  plain(): void {
    this.element.textContent = this.text;
    this.element.classList.add('raw');
    this.rendered = [];
  }

  /** Renders now. */
  render(): void {
    const start = performance.now();
    if (this.element.classList.contains('raw')) {
      this.element.classList.remove('raw');
      this.element.textContent = '';
    }
    const wanted = blocks(this.text);
    let same = 0;
    while (same < wanted.length && same < this.rendered.length && this.rendered[same]?.html === wanted[same]) {
      same += 1;
    }
    for (const old of this.rendered.splice(same)) {
      old.nodes.forEach((n) => n.remove());
    }
    for (const html of wanted.slice(same)) {
      const fragment = elements(html);
      fragment.querySelectorAll<HTMLElement>('pre.code').forEach(codeBar);
      const nodes = [...fragment.childNodes];
      this.element.append(fragment);
      this.rendered.push({ html, nodes });
    }
    this.costMs = performance.now() - start;
    this.onGrow();
  }

  private schedule(): void {
    if (this.scheduled) {
      return;
    }
    this.scheduled = true;
    const run = (): void => {
      this.scheduled = false;
      this.render();
    };
    if (this.costMs > 8) {
      setTimeout(run, this.costMs * 4);
    } else {
      requestAnimationFrame(run);
    }
  }
}
