declare const brand: unique symbol;

/**
 * Which span something belongs to, as it travels with requests and messages: a `traceparent` of W3C Trace Context,
 * always in version 00 and 55 characters long. It carries ids that were drawn at random, and nothing else.
 */
export type Traceparent = string & { readonly [brand]: 'Traceparent' };

export const TRACEPARENT_PATTERN = '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$';

/** Any version: a later one may append fields behind a dash, and keeps these where they are. */
const ANY_VERSION = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
const LENGTH = 55;
/** Room for the additions of a later version; a longer header is not read. */
const MAX_LENGTH = 512;
const SAMPLED = 1;

/** Null where it is missing or wrong: a caller's header is never an error, its trace then ends with them. */
export function parseTraceparent(header: unknown): Traceparent | null {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return null;
  const [whole, version, traceId = '', spanId = '', flags = ''] = ANY_VERSION.exec(header) ?? [];
  if (whole === undefined || version === 'ff' || (version === '00' && header.length !== LENGTH)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return traceparentOf(traceId, spanId, (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED);
}

/** From ids in lower-case hex, as tracers make them. */
export const traceparentOf = (traceId: string, spanId: string, sampled: boolean): Traceparent =>
  `00-${traceId}-${spanId}-0${sampled ? SAMPLED : 0}` as Traceparent;

export const traceIdOf = (traceparent: Traceparent): string => traceparent.slice(3, 35);
export const spanIdOf = (traceparent: Traceparent): string => traceparent.slice(36, 52);
/** Whether the trace is sampled: one that is not is not exported. */
export const isSampled = (traceparent: Traceparent): boolean => traceparent.endsWith('1');
