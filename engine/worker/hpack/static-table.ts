import { createEntry, type Entry } from './entry.ts';

/** RFC 7541 appendix A, in its order. Fields of one name are adjacent. */
const fields: readonly (readonly [name: string, value?: string])[] = [
  [':authority'],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset'],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language'],
  ['accept-ranges'],
  ['accept'],
  ['access-control-allow-origin'],
  ['age'],
  ['allow'],
  ['authorization'],
  ['cache-control'],
  ['content-disposition'],
  ['content-encoding'],
  ['content-language'],
  ['content-length'],
  ['content-location'],
  ['content-range'],
  ['content-type'],
  ['cookie'],
  ['date'],
  ['etag'],
  ['expect'],
  ['expires'],
  ['from'],
  ['host'],
  ['if-match'],
  ['if-modified-since'],
  ['if-none-match'],
  ['if-range'],
  ['if-unmodified-since'],
  ['last-modified'],
  ['link'],
  ['location'],
  ['max-forwards'],
  ['proxy-authenticate'],
  ['proxy-authorization'],
  ['range'],
  ['referer'],
  ['refresh'],
  ['retry-after'],
  ['server'],
  ['set-cookie'],
  ['strict-transport-security'],
  ['transfer-encoding'],
  ['user-agent'],
  ['vary'],
  ['via'],
  ['www-authenticate'],
];

/** Entries 1 to 61 at their index; there is no entry 0. */
export const staticEntries: readonly (Entry | undefined)[] = [
  undefined,
  ...fields.map(([name, value = '']) => createEntry(name, value)),
];

/** The dynamic table's newest entry follows the static ones (RFC 7541 section 2.3.3). */
export const STATIC_LENGTH = fields.length;

const firstOfName = new Map(fields.map(([name], at) => [name, at + 1] as const).reverse());

/** @returns the index of the name's first entry, 0 where there is none. */
export const findStaticName = (name: string): number => firstOfName.get(name) ?? 0;

/** @returns the index of the entry that is this field, 0 where there is none. */
export function findStatic(name: string, value: string): number {
  const first = findStaticName(name);
  if (first === 0) return 0;
  for (let index = first; staticEntries[index]?.name === name; index++)
    if (staticEntries[index]?.value === value) return index;
  return 0;
}
