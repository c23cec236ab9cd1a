// Markdown of the model's as elements. Three walls stand between what a model
// writes and the page: the renderer knows no HTML and no pictures, the sanitiser
// lets only plain elements through, and the policy of the page runs no script
// but ours.
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { highlight } from './highlight';

const renderer = new MarkdownIt({ html: false, linkify: true, breaks: false }).disable('image');
// Only what is clearly an address: "main.go" is a file, not a host in Gopher land.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
const renderFence = (content: string, language: string): string => {
  const body = highlight(content, language) ?? renderer.utils.escapeHtml(content);
  return `<pre class="code" data-language="${renderer.utils.escapeHtml(language)}"><code>${body}</code></pre>\n`;
};
renderer.renderer.rules['fence'] = (tokens, i) => renderFence(tokens[i]?.content ?? '', (tokens[i]?.info ?? '').trim().split(/\s+/)[0] ?? '');
renderer.renderer.rules['code_block'] = (tokens, i) => renderFence(tokens[i]?.content ?? '', '');

const allowed = {
  ALLOWED_TAGS: ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 's', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span'],
  ALLOWED_ATTR: ['href', 'class', 'title', 'start', 'data-language'],
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$)|[\w./-]+:\d+)/i,
  RETURN_DOM_FRAGMENT: true as const,
};

/** Splits a text into blocks that do not depend on each other, as HTML each. */
export function blocks(text: string): string[] {
  const env = {};
  const tokens = renderer.parse(text, env);
  const out: string[] = [];
  let start = 0;
  let depth = 0;
  tokens.forEach((token, i) => {
    depth += token.nesting;
    if (depth === 0) {
      out.push(renderer.renderer.render(tokens.slice(start, i + 1), renderer.options, env));
      start = i + 1;
    }
  });
  return out;
}

/** Makes elements of a block; nothing but plain elements comes out. */
export function elements(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, allowed);
  for (const link of fragment.querySelectorAll('a')) {
    // The page never follows a link itself: the extension decides, see links.ts.
    link.dataset['href'] = link.getAttribute('href') ?? '';
    link.setAttribute('href', '#');
    link.title = link.dataset['href'];
  }
  return fragment;
}
