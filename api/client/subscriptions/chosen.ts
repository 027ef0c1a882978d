/** A byte for each `seq` of the app: 1 where it is in the list. */
export interface Chosen {
  readonly map: Uint8Array;
  readonly total: number;
}

/** `{1,2,3}`, as Postgres writes an array of natural numbers. */
export function* parseIntegers(text: string): Generator<number> {
  let value = -1;
  for (let index = 1; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit >= 0 && digit <= 9) value = (value < 0 ? 0 : value * 10) + digit;
    else {
      if (value >= 0) yield value;
      value = -1;
    }
  }
}
