import fc from 'fast-check';
import { nasty, valid } from './arbitraries.ts';
import type { Schema } from './routes.ts';

type Json = Record<string, unknown>;

/** A place in a value: keys from the top. */
type Place = readonly string[];

/** Every place in a value, up to a few hundred. */
function placesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || at.length > 5) return [at];
  return [
    at,
    ...Object.entries(value)
      .slice(0, 30)
      .flatMap(([key, child]) => placesOf(child, [...at, key])),
  ];
}

function changedAt(value: unknown, [key, ...rest]: Place, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  // Not `map`, which asks the array's own constructor: an earlier change may have put in one that is none.
  if (Array.isArray(value))
    return Array.from(value, (child, n) => (String(n) === key ? changedAt(child, rest, change) : child));
  return { ...(value as Json), [key]: changedAt((value as Json)[key], rest, change) };
}

/** Keys that no body has. `__proto__` as an own key is what `JSON.parse` makes of it. */
const strangers = fc.constantFrom(
  '__proto__',
  'constructor',
  'extra',
  '',
  '\0',
  'ключ',
  'x'.repeat(300),
  'toString',
  'organization_id',
  'id',
  'status',
);

type Change = (old: unknown) => unknown;
const change: fc.Arbitrary<Change> = fc.oneof(
  nasty.map(
    (value): Change =>
      () =>
        value,
  ),
  fc.constant<Change>((old) => [old]),
  fc.constant<Change>((old) => ({ value: old })),
  fc.constant<Change>((old) => JSON.stringify(old)),
  fc.constant<Change>(() => undefined),
  fc.tuple(strangers, nasty).map(
    ([key, value]): Change =>
      (old) =>
        typeof old === 'object' && old !== null ? withOwn(old, key, value) : value,
  ),
);

function withOwn(object: object, key: string, value: unknown): unknown {
  return Object.defineProperty(Array.isArray(object) ? [...object] : { ...object }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The example with another value in one field: right as a whole, where the field stands alone. */
function tweaked(schema: Schema): fc.Arbitrary<unknown> {
  const [example] = schema.examples ?? [];
  const fields = Object.entries(schema.properties ?? {});
  if (typeof example !== 'object' || fields.length === 0) return valid(schema);
  return fc
    .constantFrom(...fields)
    .chain(([name, field]) => valid(field).map((value) => ({ ...example, [name]: value })));
}

/** Bodies: right ones, and right ones in which one or two things are not. */
export function bodies(schema: Schema): fc.Arbitrary<unknown> {
  const right = fc.oneof(valid(schema), tweaked(schema));
  const once = (value: unknown) =>
    fc
      .tuple(fc.constantFrom(...placesOf(value)), change)
      .map(([place, make]) => changedAt(value, place, make));
  return fc.oneof(
    { weight: 2, arbitrary: right },
    { weight: 5, arbitrary: right.chain(once) },
    { weight: 3, arbitrary: right.chain(once).chain(once) },
    { weight: 1, arbitrary: nasty },
  );
}

/** The body as it goes over the wire, with what no `JSON.stringify` would write. */
export function wireBodies(schema: Schema): fc.Arbitrary<{ payload: string | Buffer; contentType: string }> {
  const json = bodies(schema).map((value) => JSON.stringify(value) ?? '');
  const types = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'Application/JSON');
  const wrongTypes = fc.constantFrom(
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'a',
    '',
    '/',
    'application/jsonx',
  );
  const broken = fc.oneof(
    fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    fc.constantFrom(
      '',
      ' ',
      'null',
      '"',
      '{"a":1}{"b":2}',
      '[1,]',
      '{"__proto__":{"admin":true}}',
      '\ufeff{}',
      '{"a":01}',
      'NaN',
      '['.repeat(50_000),
      '{"name":"\\ud800"}',
      `"${'x'.repeat(70_000)}"`,
    ),
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ payload: json, contentType: types }) },
    { weight: 1, arbitrary: fc.record({ payload: broken, contentType: types }) },
    { weight: 1, arbitrary: fc.record({ payload: json, contentType: wrongTypes }) },
    {
      weight: 1,
      arbitrary: fc.record({
        payload: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        contentType: types,
      }),
    },
  );
}

/** Query strings: each parameter right, wrong, twice, as an array or an object, or not there; and strangers. */
export function queries(schema: Schema | null): fc.Arbitrary<string> {
  const properties = Object.entries(schema?.properties ?? {});
  const pair = ([name, field]: [string, Schema]) =>
    fc
      .tuple(
        fc.oneof(
          { weight: 8, arbitrary: fc.constant(name) },
          fc.constantFrom(`${name}[]`, `${name}[a]`, `${name}[__proto__]`, `${name}[`),
        ),
        fc.oneof(valid(field), nasty).map(textOf),
      )
      .map(([key, value]) => `${encodeURIComponent(key)}=${value}`);
  const known = properties.length === 0 ? [] : [fc.constantFrom(...properties).chain(pair)];
  const strange = fc.constantFrom(
    'a=b',
    '=',
    '&&&',
    '%',
    '%zz',
    '%00=%00',
    '__proto__[a]=1',
    'a[b][c][d][e][f]=1',
    `a=${'x'.repeat(4_000)}`,
    '?',
    '#',
    'page=1;per_page=2',
  );
  return fc.array(fc.oneof(...known, strange), { maxLength: 4 }).map((parts) => parts.join('&'));
}

/** In a query, a half of a surrogate pair is bytes that are not UTF-8. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.isWellFormed() ? encodeURIComponent(text.slice(0, 3_000)) : '%ed%a0%80';
}

const oddSegments = [
  '',
  '%00',
  'a%00b',
  '%2f',
  '..',
  '.',
  '%2e%2e',
  '%',
  '%zz',
  '%ed%a0%80',
  '%ff',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(5_000),
  '0',
  '-1',
  '1.5',
  '1e3',
  '01',
  '+1',
  ' 1',
  '%201',
  '１',
  '9007199254740993',
  '2147483648',
  '99999999999999999999',
  '%F0%9F%92%A5',
  '__proto__',
  'null',
  ';',
  ':',
  '*',
  '1%0d%0aX: y',
  "'",
  '1?',
  '1#',
];
export const segments = fc.constantFrom(...oddSegments);
