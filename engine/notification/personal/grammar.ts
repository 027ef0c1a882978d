import { MOST_OUTPUT_UNITS } from '../../contract/wording.ts';
import { type Argument, type FilterName, filterNames, filterOf } from './filters.ts';

/**
 * The grammar of personal texts, a small part of Liquid:
 *
 *     text    = { words | "{{" ["-"] value { "|" filter } ["-"] "}}" }      at most MOST_FILTERS filters
 *     value   = "tag." name | "tag[" string "]" | string
 *     filter  = name [ ":" literal { "," literal } ]                       a name of `filterNames`
 *     literal = string | number
 *
 * It is so small that nothing of it can fail, or take long, when a reader's tags are known: whatever a tag says, a
 * filter makes a string of at most `MOST_OUTPUT_UNITS` of it.
 */
export const MOST_FILTERS = 10;

/** Why a text cannot be personal, in words that follow the name of its field. */
export class TemplateError extends Error {}

export interface AppliedFilter {
  readonly name: FilterName;
  readonly given: readonly Argument[];
}

/** What stands between two braces. */
export interface Expression {
  /** As it is written, braces included. */
  readonly source: string;
  /** The key of the tag that it reads; null: `literal` stands there. */
  readonly tag: string | null;
  readonly literal: string;
  readonly filters: readonly AppliedFilter[];
}

/** @returns its words and its expressions, in order. @throws TemplateError on anything else, with its place. */
export function readTemplate(text: string): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  const opening = /\{[{%]/g;
  let trims = false;
  for (let from = 0; ; ) {
    opening.lastIndex = from;
    const at = opening.exec(text)?.index ?? text.length;
    const words = text.slice(from, at);
    const begun = trims ? words.trimStart() : words;
    parts.push(text.startsWith('{{-', at) ? begun.trimEnd() : begun);
    if (at === text.length) return parts.filter((part) => part !== '');
    const { expression, end, trimsAfter } = readExpression(text, at);
    parts.push(expression);
    from = end;
    trims = trimsAfter;
  }
}

/** What it makes of a reader's tags. Never throws. */
export function evaluate({ tag, literal, filters }: Expression, tagValue: (tag: string) => string): string {
  let value = bounded(tag === null ? literal : tagValue(tag));
  for (const { name, given } of filters) value = bounded(filterOf(name).apply(value, given));
  return value;
}

/** The longest that it can become, in UTF-16 code units. */
export const longestOf = ({ filters }: Expression): number =>
  filters.reduce(
    (units, { name, given }) => Math.min(MOST_OUTPUT_UNITS, filterOf(name).longest(units, given)),
    MOST_OUTPUT_UNITS,
  );

const bounded = (value: string): string =>
  value.length > MOST_OUTPUT_UNITS ? value.slice(0, MOST_OUTPUT_UNITS) : value;

const EXAMPLE = '{{ tag.name | default: "reader" }}';
const tokens = {
  space: /\s*/y,
  name: /[^\s.,:|"'[\](){}<>=!%&]+/y,
  string: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy,
  number: /-?\d+(?:\.\d+)?(?![\w.])/y,
  closing: /-?\}\}/y,
};
/** Liquid reads these from any value. */
const NOT_A_NAME = ['size', 'first', 'last'];

function readExpression(text: string, start: number) {
  let at = start + (text.startsWith('{{-', start) ? 3 : 2);
  if (text[start + 1] === '%') fail(`has a {% %}, which is not known: write ${EXAMPLE}`, start);

  function fail(why: string, place: number | null = null): never {
    if (place === null) next('space');
    throw new TemplateError(`${why} (at character ${(place ?? at) + 1})`);
  }
  const unreadable = (): never =>
    fail(`has {{ that cannot be read: write ${EXAMPLE}, or {{ "{{" }} for two braces`);

  /** The next token of this kind, if it is one. */
  function next(kind: keyof typeof tokens): string | null {
    tokens.space.lastIndex = at;
    tokens.space.exec(text);
    const token = tokens[kind];
    token.lastIndex = tokens.space.lastIndex;
    const [found] = token.exec(text) ?? [];
    if (found === undefined) return null;
    at = token.lastIndex;
    return found;
  }

  function sign(wanted: string): boolean {
    next('space');
    if (!text.startsWith(wanted, at)) return false;
    at += wanted.length;
    return true;
  }

  const string = (): string | null => {
    const found = next('string');
    return found === null ? null : unquoted(found);
  };

  function tagKey(): string {
    const named = sign('.') ? next('name') : null;
    const key = named ?? (sign('[') ? string() : null);
    const isClosed = named !== null || (key !== null && sign(']'));
    next('space');
    const goesOn = text[at] === '.' || text[at] === '[';
    return key === null || !isClosed || goesOn || NOT_A_NAME.includes(named ?? '') ? notKnown() : key;
  }

  function notKnown(): never {
    const [read = ''] = text.slice(start + 2).split(/[|}]/, 1);
    return fail(
      `reads ${read.replace(/^-/, '').trim().slice(0, 60)}, which is not known: ` +
        'write {{ tag.name }} or {{ tag["name"] }} for a reader’s tag',
      start,
    );
  }

  function filter(): AppliedFilter {
    const begin = at;
    const word = next('name') ?? unreadable();
    const name = filterNames.find((known) => known === word);
    if (name === undefined)
      return fail(`has a filter that is not known: the known ones are ${filterNames.join(', ')}`, begin);
    const given: Argument[] = [];
    for (let more = sign(':'); more; more = sign(',')) given.push(argument(name));
    const { takes, accepts } = filterOf(name);
    if (accepts(given)) return { name, given };
    return fail(takes === null ? `has ${name} with a value: it takes none` : `needs ${takes}`, begin);
  }

  function argument(name: string): Argument {
    const found = string() ?? next('number');
    if (found === null) return fail(`has ${name} with what is neither a text in quotes nor a number`);
    return text[at - 1] === '"' || text[at - 1] === "'" ? found : Number(found);
  }

  const literal = string();
  const word = literal === null ? (next('name') ?? unreadable()) : null;
  const tag = word === null ? null : word === 'tag' ? tagKey() : notKnown();
  const filters: AppliedFilter[] = [];
  while (sign('|')) {
    if (filters.length === MOST_FILTERS) fail(`has more than ${MOST_FILTERS} filters in one {{ }}`);
    filters.push(filter());
  }
  const closing = next('closing') ?? unreadable();
  const expression: Expression = { source: text.slice(start, at), tag, literal: literal ?? '', filters };
  return { expression, end: at, trimsAfter: closing.startsWith('-') };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A quoted string as it is meant: `\"` is a quote, `\n` a line break, `\u20ac` a euro sign. */
const unquoted = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code: string | undefined, sign: string) =>
      code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
    );
