import { Context, type Liquid, Output, toValueSync, type Value } from 'liquidjs';
import { MOST_OUTPUT_UNITS, type Slot, type Wording } from '../contract/wording.ts';
import { createLiquid } from './liquid.ts';

/** A reader's values of `wording.tags`, in their order; null: the reader has no such tag. */
export type TagValues = readonly (string | null)[];

/** @returns the plaintext of a text, by its index, for one reader. */
export type RenderText = (text: number, values: TagValues) => Buffer;

/** Reads every output once; each that a text has then costs less than a microsecond. */
export function createRenderText({ texts, outputs, tags }: Wording): RenderText {
  const liquid = createLiquid();
  const values = outputs.map((output) => outputValue(liquid, output));
  const whole = texts.map(({ parts: [first, ...others] }) =>
    typeof first === 'string' && others.length === 0 ? Buffer.from(first) : null,
  );

  function write([output, kind]: Slot, context: Context): string {
    // Without the library's own rendering around it, whose clocks and emitters take five times as long.
    const made: unknown = toValueSync(values[output]?.value(context));
    return kind === 'address' ? asAddress(String(made ?? '')) : asText(String(made ?? ''));
  }

  return function renderText(text, given) {
    const same = whole[text];
    if (same !== undefined && same !== null) return same;
    const tag = Object.fromEntries(tags.map((key, at) => [key, given[at] ?? '']));
    const context = new Context({ tag }, liquid.options, { sync: true });
    const parts = texts[text]?.parts ?? [];
    return Buffer.from(
      parts.map((part) => (typeof part === 'string' ? part : write(part, context))).join(''),
    );
  };
}

/** @throws TypeError on a text that is no output: it was one when the delivery was made. */
function outputValue(liquid: Liquid, output: string): Value {
  const [only, ...others] = liquid.parse(output);
  if (!(only instanceof Output) || others.length > 0) throw new TypeError(`${output} is no output`);
  return only.value;
}

/** A tag's value is a stranger's: it stays inside its JSON string, and brings no line breaks or other controls. */
const asText = (value: string): string => JSON.stringify(tidy(value)).slice(1, -1);
const asAddress = (value: string): string => encodeURIComponent(tidy(value));

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
