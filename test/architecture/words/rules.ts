import { toNlcst } from 'mdast-util-to-nlcst';
import { ParseEnglish } from 'parse-english';
import remarkParse from 'remark-parse';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { unified } from 'unified';
import { VFile } from 'vfile';
import type { Text } from './texts.ts';
import { words } from './word-list.ts';

export interface Finding {
  readonly line: number;
  /** The word as it stands there, and what to write instead. */
  readonly message: string;
}

/** @returns what a reader would stumble over, in the order of the rules. */
export function findingsIn(text: Text): Finding[] {
  const found = [...listed(text), ...ofGrammar(text)];
  return text.kind === 'comment' ? [...found, ...unfinished(text)] : found;
}

const CODE = /```[\s\S]*?(```|$)|`[^`]*`|\]\([^)]*\)|<!--[\s\S]*?-->|https?:\/\/\S+/g;

/** The text without its code and on one line, each character where it was. */
const plain = (text: string): string =>
  text.replace(CODE, (code) => '\u00a0'.repeat(code.length)).replace(/\n/g, ' ');

const lineAt = ({ line, text }: Text, offset: number): number =>
  line + text.slice(0, offset).split('\n').length - 1;

function listed(text: Text): Finding[] {
  const flat = plain(text.text);
  return words.flatMap(({ not, use }) =>
    [...flat.matchAll(new RegExp(not.source, `${not.flags}g`))].map((match) => ({
      line: lineAt(text, match.index),
      message: `“${match[0].trim()}”: write ${use}`,
    })),
  );
}

const markdown = unified().use(remarkParse).freeze();
const grammar = unified().use(retextRepeatedWords).use(retextIndefiniteArticle).freeze();
/** A word twice, or an article before a sound that may not be its own: to parse only these takes a tenth of the time. */
const SUSPECT = /\b(\w+)\s+\1\b|\ba\s+[\W_]*[^\W_bcdfgjklmnpqrstvwyz]|\ban\s+[\W_]*[^\W_aeio]/i;

/** Read as a word by the plugin, and letter by letter by people. */
const SPELLED = /before `(https?|abbr)\b/;

function ofGrammar({ line, text }: Text): Finding[] {
  if (!SUSPECT.test(text)) return [];
  const file = new VFile(text);
  grammar.runSync(toNlcst(markdown.parse(file), file, ParseEnglish), file);
  return file.messages
    .filter(({ reason }) => !SPELLED.test(reason))
    .map(({ reason, line: at = 1 }) => ({ line: line + at - 1, message: reason }));
}

/** What a paragraph of a comment may begin with: a capital, a figure, code, a quotation, a tag or a sign. */
const BEGINS = /^[^a-z]/;
/** The mark of a test file: a word for a program, and no sentence. */
const MARK = /^tier: /;
const ENDS = /[.:?!…)`"'”’»*|}>\]]$/;
/** A tag of JSDoc; what follows it completes it, and may begin small. */
const TAG = /^@\w+(\s+\{[^}]*\})?/;

function unfinished({ line, text }: Text): Finding[] {
  return paragraphsOf(text).flatMap(({ at, words: said }) => {
    const isTagged = TAG.test(said);
    const body = said.replace(TAG, '').trim();
    if (body === '' || MARK.test(body)) return [];
    if (!isTagged && !BEGINS.test(body))
      return [{ line: line + at, message: `“${body.slice(0, 30)}”: begin a comment with a capital` }];
    if (!ENDS.test(body))
      return [{ line: line + at, message: `“…${body.slice(-30)}”: end a comment with a full stop` }];
    return [];
  });
}

/** Without tables, lists and drawings, whose lines are indented or have gaps. */
function paragraphsOf(text: string): { at: number; words: string }[] {
  const found: { at: number; words: string }[] = [];
  let open: 'no' | 'words' | 'list' = 'no';
  for (const [at, raw] of text.split('\n').entries()) {
    const said = raw.trim();
    const before = found.at(-1);
    if (said === '') open = 'no';
    else if (/^([-*|+•>]|\d\d?\.) /.test(said) && !(open === 'words' && /^\d/.test(said))) open = 'list';
    else if (open === 'words' && before !== undefined && !said.startsWith('@')) {
      if (before.words.endsWith(':')) open = 'list';
      else before.words += ` ${said}`;
    } else if (/^\s{2,}\S|\S\s{2,}\S/.test(raw)) open = 'list';
    else if (open !== 'list' || said.startsWith('@')) {
      found.push({ at, words: said });
      open = 'words';
    }
  }
  return found;
}
