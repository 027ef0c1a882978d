import type { EndpointPolicy } from '../../../engine/contract/push-service.ts';
import { type ImportRow, type KeyNumbers, parseRow } from './row.ts';
import { type Fields, isGiven, type Source } from './sources/source.ts';

interface ParseDeps {
  /** Null: the plain form. */
  readonly source: Source | null;
  readonly policy: EndpointPolicy;
  /** The pairs that the app has. */
  readonly keyNumbers: KeyNumbers;
  /** The pair that was given; its number is null until the app has it, and in a dry run. */
  readonly pair: { readonly publicKey: string; readonly number: () => number | null } | null;
  /** A field that the row goes without, and why. */
  readonly onLeft: (reason: string, line: number, value: unknown) => void;
}

type Parse = (value: unknown, line: number) => ImportRow | string;

/** Of the plain form every mistake refuses the line: its writer can fix it. */
export function createParse(deps: ParseDeps): Parse {
  const { source, policy, keyNumbers, pair } = deps;
  if (source !== null) return createParseForeign(deps, source);
  if (pair === null) return (value) => parseRow(value, policy, keyNumbers);
  const ofLine = (value: unknown): unknown => (value as Fields | null)?.vapid_key;
  return (value) => {
    if (isGiven(ofLine(value)) && plainKey(ofLine(value)) !== pair.publicKey)
      return parseRow(value, policy, keyNumbers);
    const row = parseRow(value, policy, new Map([[pair.publicKey, 0]]));
    return typeof row === 'string' ? row : { ...row, vapidKeyNumber: pair.number() };
  };
}

/**
 * Of another service's export, what is wrong beside the endpoint and its keys is left out and reported: no reader is
 * lost for a language that nobody knows.
 */
function createParseForeign({ policy, pair, onLeft }: ParseDeps, source: Source): Parse {
  return (value, line) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object';
    const converted = source.convert(value as Fields);
    if ('lost' in converted) return converted.lost;
    const { vapid_key: key, ...fields } = converted.fields;
    if (isGiven(key) && plainKey(key) !== pair?.publicKey)
      return 'was made with another VAPID key than the one given';
    const left: string[] = [];
    const row = parseRow(fields, policy, undefined, left);
    if (typeof row === 'string') return row;
    for (const reason of left) onLeft(reason, line, value);
    return { ...row, vapidKeyNumber: pair?.number() ?? null };
  };
}

const plainKey = (key: unknown): string => Buffer.from(String(key), 'base64').toString('base64url');
