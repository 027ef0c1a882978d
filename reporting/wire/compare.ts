import { castTo, isExact, isMoment, textOf, type Value } from './values.ts';

/** Below 0, 0 or above 0. A text beside a date or number is read as one, as Postgres reads a literal. */
export function compareValues(left: Exclude<Value, null>, right: Exclude<Value, null>): number {
  if (isMoment(left) || isMoment(right)) return momentOrder(left, right);
  if (typeof left === 'boolean' || typeof right === 'boolean')
    return Number(castTo('bool', left)) - Number(castTo('bool', right));
  if ([left, right].some((value) => typeof value === 'number' || isExact(value)))
    return numberOrder(textOf(left), textOf(right));
  return textOrder(textOf(left), textOf(right));
}

const decimal = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/;
const PLACES = 40;

function numberOrder(left: string, right: string): number {
  const [one, other] = [left, right].map((text) => {
    const [, sign = '', whole, fraction = ''] = decimal.exec(text) ?? [];
    return whole === undefined ? null : BigInt(sign + whole + fraction.padEnd(PLACES, '0'));
  });
  if (typeof one === 'bigint' && typeof other === 'bigint') return one < other ? -1 : one > other ? 1 : 0;
  const difference = Number(left) - Number(right);
  // An object id beside a name: they are not the same.
  return Number.isNaN(difference) ? textOrder(left, right) : difference;
}

const textOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function momentOrder(left: Exclude<Value, null>, right: Exclude<Value, null>): number {
  const type = isMoment(left) ? left.kind : isMoment(right) ? right.kind : 'date';
  const msOf = (value: Exclude<Value, null>): number => {
    const moment = isMoment(value) ? value : castTo(type, value);
    return moment !== null && isMoment(moment) ? moment.ms : 0;
  };
  return msOf(left) - msOf(right);
}

/** A pattern of LIKE as the texts between its `%`; null where it has a `_`, or an escape at its end. */
export function likeParts(pattern: string): readonly string[] | null {
  const parts = [''];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '_') return null;
    if (character === '%') {
      parts.push('');
      continue;
    }
    if (character === '\\') at++;
    const plain = pattern[at];
    if (plain === undefined) return null;
    parts[parts.length - 1] += plain;
  }
  return parts;
}

/** Without a regular expression: whatever a client writes, it is one walk over the text. */
export function likePattern(pattern: string, anyCase: boolean): (text: string) => boolean {
  const fold = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const parts = (likeParts(pattern) ?? likeParts(pattern.replaceAll('_', '\\_')) ?? [pattern]).map(fold);
  return (given) => {
    const text = fold(given);
    const [first = ''] = parts;
    if (parts.length === 1) return text === first;
    if (!text.startsWith(first)) return false;
    const last = parts.at(-1) ?? '';
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
