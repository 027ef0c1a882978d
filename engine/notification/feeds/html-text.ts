import { Parser } from 'htmlparser2';

/** Enough for 2,000 characters of text and a first image, however they are dressed. */
const MAX_HTML_LENGTH = 65_536;
/** The parser's cost grows with the square of the depth. */
const MAX_DEPTH = 200;

const unseen: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'svg']);
/** Text flows around these; every other element begins a new word. */
const inline: ReadonlySet<string> = new Set(
  'a abbr b cite code em font i mark q s small span strong sub sup time u wbr'.split(' '),
);

/** What an element's text is among that of its parent. */
export function textAmong(name: string, text: string): string {
  if (unseen.has(name)) return '';
  return inline.has(name) ? text : ` ${text} `;
}

/** The text that a reader would see of HTML, and its first image that is not there for counting. */
export function readHtml(html: string): { readonly text: string; readonly image: string | null } {
  let text = '';
  let image: string | null = null;
  let depth = 0;
  let hidden = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      if (depth > MAX_DEPTH) return parser.pause();
      if (unseen.has(name)) hidden++;
      if (!inline.has(name)) text += ' ';
      if (name === 'img' && hidden === 0) image ??= sourceOf(attributes);
    },
    onclosetag(name) {
      depth--;
      if (unseen.has(name)) hidden--;
      if (!inline.has(name)) text += ' ';
    },
    ontext(part) {
      if (hidden === 0) text += part;
    },
  });
  parser.end(html.slice(0, MAX_HTML_LENGTH));
  return { text, image };
}

/** Null for pixels that count readers, and for images inside the text. */
export function sourceOf({ src, width, height }: Readonly<Record<string, string>>): string | null {
  const isPixel = [width, height].some((size) => size !== undefined && Number.parseInt(size, 10) <= 2);
  return src === undefined || isPixel || /^\s*data:/i.test(src) ? null : src;
}
