import { MOST_OUTPUT_UNITS, type Slot, type Wording } from '../../contract/wording.ts';
import { type Expression, evaluate, readTemplate, TemplateError } from './grammar.ts';

/** A reader's values of `wording.tags`, in their order; null: the reader has no such tag. */
export type TagValues = readonly (string | null)[];

/** @returns the plaintext of a text, by its index, for one reader; null: the text cannot be read any more. */
export type RenderText = (text: number, values: TagValues) => Buffer | null;

/**
 * Reads every output once; each that a text has then costs less than a microsecond. Never throws: a text with an output
 * that the grammar does not have (written by an earlier release, which took more) is null for its readers.
 */
export function createRenderText({ texts, outputs, tags }: Wording): RenderText {
  const expressions = outputs.map(readOutput);
  const isReadable = texts.map(({ parts }) =>
    parts.every((part) => typeof part === 'string' || (expressions[part[0]] ?? null) !== null),
  );
  const whole = texts.map(({ parts: [first, ...others] }) =>
    typeof first === 'string' && others.length === 0 ? Buffer.from(first) : null,
  );

  function write([output, kind]: Slot, tagValue: (tag: string) => string): string {
    const made = tidy(evaluate(expressions[output] as Expression, tagValue));
    return kind === 'address' ? encodeURIComponent(made) : asText(made);
  }

  return function renderText(text, given) {
    const same = whole[text];
    if (same !== undefined && same !== null) return same;
    if (isReadable[text] !== true) return null;
    const tagValue = (tag: string): string => String(given[tags.indexOf(tag)] ?? '');
    const parts = texts[text]?.parts ?? [];
    return Buffer.from(
      parts.map((part) => (typeof part === 'string' ? part : write(part, tagValue))).join(''),
    );
  };
}

/** Null: it is not a single output of the grammar. */
function readOutput(output: string): Expression | null {
  try {
    const [only, ...others] = readTemplate(output);
    return typeof only === 'object' && others.length === 0 ? only : null;
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** A tag's value is a stranger's: it stays inside its JSON string, and brings no line breaks or other controls. */
const asText = (value: string): string => JSON.stringify(value).slice(1, -1);

const tidy = (value: string): string =>
  value
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MOST_OUTPUT_UNITS)
    .toWellFormed();

/** A BMP character: three bytes of UTF-8. Pairs take four for two units, quotes two for one. */
const TEXT_BYTES_A_UNIT = 3;
/** `%E2%82%AC`. */
const ADDRESS_BYTES_A_UNIT = 9;

/** The most bytes that a slot can take. @param units the longest that its output can become. */
export const mostBytes = (kind: Slot[1], units: number): number =>
  units * (kind === 'address' ? ADDRESS_BYTES_A_UNIT : TEXT_BYTES_A_UNIT);
