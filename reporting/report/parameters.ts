/**
 * Values for a statement's parameters. No value is ever part of its text: `value('String', 'x')` stores it and
 * returns the placeholder that ClickHouse fills (`{p0:String}`), the same one for the same value.
 */
export interface Parameters {
  value(type: string, value: ParameterValue): string;
  /** All stored values, by their names in the text. */
  readonly params: Readonly<Record<string, unknown>>;
}

type ParameterValue = string | number | readonly string[] | readonly number[];

export function createParameters(given: Readonly<Record<string, unknown>> = {}): Parameters {
  const params: Record<string, unknown> = { ...given };
  const names = new Map<string, string>();
  return {
    params,
    value: (type, value) => {
      const key = JSON.stringify([type, value]);
      const name = names.get(key) ?? `p${names.size}`;
      names.set(key, name);
      params[name] = value;
      return `{${name}:${type}}`;
    },
  };
}

/** A parameter longer than this is cut in pieces: servers take at most 128 KiB in one. */
const PIECE_CHARACTERS = 30_000;

/** Any number of texts as an array, for `IN`. */
export function textArray(parameters: Parameters, texts: readonly string[]): string {
  const pieces = piecesOf(texts).map((piece) => parameters.value('Array(String)', piece));
  return pieces.length === 1 ? (pieces[0] ?? '') : `arrayConcat(${pieces.join(', ')})`;
}

function piecesOf(texts: readonly string[]): string[][] {
  const pieces: string[][] = [[]];
  let characters = 0;
  for (const text of texts) {
    characters += text.length;
    if (characters > PIECE_CHARACTERS) {
      pieces.push([]);
      characters = text.length;
    }
    pieces.at(-1)?.push(text);
  }
  return pieces;
}
