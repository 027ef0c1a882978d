import { Marked, type Tokens } from 'marked';
import { escapeText, Html } from './html.ts';

/** A heading of a text, and what stands below it as plain words, for the search. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface DrawnText {
  readonly title: string;
  readonly html: Html;
  readonly sections: readonly Section[];
}

/** Where the words of a text lead; null: they stay as they are, without a link. */
export interface Leads {
  /** For a link's target, as the text names it. */
  link(target: string): string | null;
  /** For what stands as code: the name of an operation leads to its reference. */
  code(text: string): string | null;
}

export function drawMarkdown(text: string, leads: Leads): DrawnText {
  const ids = new Set<string>();
  const sections: { id: string; title: string; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }: Tokens.Heading): string {
        const id = uniqueId(title, ids);
        sections.push({ id, title: plain(title), text: '' });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const address = leads.link(href);
        const words = this.parser.parseInline(tokens);
        return address === null ? words : `<a href="${escapeText(address)}">${words}</a>`;
      },
      codespan({ text: code }: Tokens.Codespan): string {
        const address = leads.code(code);
        const drawn = `<code>${escapeText(code)}</code>`;
        return address === null ? drawn : `<a href="${escapeText(address)}">${drawn}</a>`;
      },
      image: () => '',
      html: ({ text: raw }) => escapeText(raw),
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  let at = -1;
  const drawn = tokens.map((token) => {
    const part = marked.parser([token]);
    if (token.type === 'heading') at++;
    else if (sections[at] !== undefined) (sections[at] as { text: string }).text += ` ${plain(token.raw)}`;
    return part;
  });
  return { title: sections[0]?.title ?? '', html: new Html(drawn.join('')), sections };
}

const inline = new Marked({ renderer: { html: ({ text }) => escapeText(text) } });

/** Of one paragraph or several: descriptions in the OpenAPI text. */
export const blockMarkdown = (text: string): Html => new Html(inline.parse(text, { async: false }));
export const inlineMarkdown = (text: string): Html => new Html(inline.parseInline(text, { async: false }));

/** The words alone. Of `_` and `*` those that emphasize are left out: names of fields have them, too. */
export const plain = (text: string): string =>
  text
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .split('`')
    .map((part, at) => (at % 2 === 1 ? part : part.replace(emphasis, ' ')))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Outside of code; an underscore within a word is a part of a name. */
const emphasis = /[*#|>]|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu;

function uniqueId(title: string, taken: Set<string>): string {
  const base = idOf(title);
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  taken.add(id);
  return id;
}

/** As the hosts of repositories make them, so that links within a text lead to the same places. */
export const idOf = (title: string): string =>
  plain(title)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-');
