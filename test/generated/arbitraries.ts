import fc from 'fast-check';
import type { Schema } from './routes.ts';

/** Text that has broken parsers, stores and logs before. */
export const nastyTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '💥🏳️‍🌈',
  '\u202eעברית\u202c',
  'e\u0301'.repeat(30),
  'ﷺ',
  '\r\nSet-Cookie: a=b',
  "' OR 1=1; --",
  '%',
  '_',
  '\\',
  '%s%n',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  '１２',
  'x'.repeat(256),
  'x'.repeat(20_000),
  '{"a":1}',
  '<script>alert(1)</script>',
  'https://',
  'https://a.example/\0',
  'javascript:alert(1)',
  'http://[::1]:0/',
  'https://user:pass@x.example/',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '+275760-09-13',
  '0000-01-01T00:00:00Z',
  '294277-01-01',
];

const nastyNumbers: readonly number[] = [
  -1, 0, -0, 0.5, 1, 255, 2_147_483_647, 2_147_483_648, -2_147_483_649, 4_294_967_296, 9_007_199_254_740_991,
  9_007_199_254_740_992, 1e21, -1e21, 1.7976931348623157e308, 5e-324,
];

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const deepObject = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

/** Any value of the wrong kind, or of the right kind and past its limits. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.constantFrom(...nastyNumbers),
  fc.constantFrom<unknown>(true, false, null, [], {}, [null], [[]], { a: 1 }, [1, 'a', {}]),
  fc.constantFrom(deep(200), deepObject(200), Array(2_000).fill(0)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown),
);

/** What passes where text is refined: addresses, times, days, ids, codes. */
const plausible: readonly string[] = [
  'https://news.example.com',
  'https://news.example.com/today?a=b#c',
  '2999-01-31T12:00:00Z',
  '2026-01-31',
  'DE',
  'somebody@example.com',
  'a',
  'briefing',
];

const MAX_LENGTH = 300;

/** Values that the schema allows, its limits often among them. Refined text may still be refused. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valid));
  const [example] = schema.examples ?? [];
  const made = madeOf(schema);
  return example === undefined
    ? made
    : fc.oneof({ weight: 1, arbitrary: fc.constant(example) }, { weight: 2, arbitrary: made });
}

function madeOf(schema: Schema): fc.Arbitrary<unknown> {
  switch ([schema.type].flat()[0]) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return wholeOf(schema);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 20),
      });
    case 'object':
      return objectOf(schema);
    default:
      return nasty;
  }
}

function textOf({ pattern, minLength = 0, maxLength = MAX_LENGTH }: Schema): fc.Arbitrary<string> {
  const longest = Math.min(maxLength, 3_000);
  const edges = fc.constantFrom('x'.repeat(minLength), 'x'.repeat(longest), 'é'.repeat(longest));
  const shaped =
    pattern === undefined
      ? fc.string({ minLength, maxLength: Math.min(longest, 60) })
      : fc.stringMatching(new RegExp(pattern));
  return fc.oneof(fc.constantFrom(...plausible), edges, shaped);
}

function wholeOf({ minimum = -1_000_000, maximum = 2_147_483_647 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: Math.max(minimum, -2_147_483_648), max: Math.min(maximum, 2_147_483_647) }),
  );
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const open = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
  if (typeof open === 'object' && Object.keys(properties).length === 0) {
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), valid(open), {
      maxKeys: Math.min(schema.maxProperties ?? 5, 60),
    });
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valid(field)]));
  return fc.record(fields, { requiredKeys: [...required] });
}
