/** Text that is HTML already; everything else is escaped where it is put in. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | false | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** A piece of a page. Values are escaped, lists are joined, null and false are left out. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.reduce((made, text, index) => made + textOf(parts[index - 1] ?? null) + text));

function textOf(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(textOf).join('') : escapeText(String(part));
}
