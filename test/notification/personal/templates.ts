import fc from 'fast-check';
import { filterNames } from '../../../engine/notification/personal/filters.ts';

/** Tags as the public API takes them, and as nobody would write them. */
export const tagValues = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 255 }),
  fc.constantFrom(
    ...['', ' ', '100001', '-1', '1e9', 'NaN', '{{ tag.a }}', '{% raw %}', '..', 'null', '__proto__'],
    ...['ß'.repeat(255), '\u0390'.repeat(255), '😀'.repeat(127), '\ud800'.repeat(255), '"\\'.repeat(127)],
    ...['x'.repeat(100_000), ' '.repeat(100_000)],
  ),
);

const quoted = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('"', "'"))
  .map(([text, quote]) => quote + text.replaceAll(/["'\\]/g, '\\$&') + quote);
const number = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer()).map(String);
const space = fc.constantFrom('', ' ', '  ', '\n');
const value = fc.oneof(
  fc.constantFrom('tag.a', 'tag.b', 'tag["a"]', "tag['home town']", 'tag.first-name', 'tag.größe'),
  quoted,
);
const filter = fc.oneof(
  fc.constantFrom('capitalize', 'upcase', 'downcase', 'strip', 'truncate').map((name) => name),
  quoted.map((text) => `default: ${text}`),
  number.map((length) => `truncate: ${length}`),
  fc.tuple(number, quoted).map(([length, ellipsis]) => `truncate: ${length}, ${ellipsis}`),
);

/** `{{ … }}` that the grammar has, or nearly. */
export const expressions = fc
  .tuple(fc.constantFrom('{{', '{{-'), space, value, fc.array(filter, { maxLength: 12 }), space)
  .chain(([open, before, read, filters, after]) =>
    fc
      .constantFrom('}}', '-}}')
      .map((close) => `${open}${before}${[read, ...filters].join(' | ')}${after} ${close}`),
  );

/** What the library knows, and what nobody knows: to be refused. */
const foreign = fc.oneof(
  fc.constantFrom(
    ...['{{ (1..tag.a) }}', '{{ (1..tag.a) | join }}', '{{ tag.a.size }}', '{{ tag[tag.a] }}', '{{ tag }}'],
    ...[
      '{{ tag.a == 1 }}',
      '{{ tag.a contains "x" }}',
      '{{ not tag.a }}',
      '{{ tag.a and tag.b }}',
      '{{ 5 }}',
    ],
    ...['{% for i in (1..tag.a) %}x{% endfor %}', '{% raw %}', '{% comment %}', '{% liquid echo tag.a %}'],
    ...['{{ tag.a | times: 9 }}', '{{ tag.a | default: tag.b }}', '{{ tag.a | default: (1..9) }}', '{{}}'],
    ...['{{ tag.a | append: "x" }}', '{{ "a" | repeat: 100001 }}', '{{ tag.a | default: x: true }}'],
    ...[`{{ tag.a ${'| strip '.repeat(420)}}}`, '{{ tag.a |', '{{ tag["a', '{{ "', "{{ tag.a | default: '"],
  ),
  fc.string({ maxLength: 40 }).map((text) => `{{ ${text} }}`),
  fc.constantFrom(...filterNames).map((name) => `{{ tag.a | ${name}: (1..9) }}`),
);

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('{', '}}', '{ {', '\\', '%}'),
);

/** A text as a publisher might write it: words, expressions, and sometimes what the grammar has not. */
export const templates = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: expressions },
      { weight: 2, arbitrary: words },
      { weight: 1, arbitrary: foreign },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
