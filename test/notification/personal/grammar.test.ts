// tier: unit
import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { evaluate, readTemplate } from '../../../engine/notification/personal/grammar.ts';
import { createRenderText } from '../../../engine/notification/personal/render.ts';
import { readOrNull, rendersEverything } from '../../fuzz/targets/templates.ts';
import { cases } from '../../support/cases.ts';
import { leastMs } from '../../support/least-ms.ts';
import { expressions } from './templates.ts';

const written = (text: string, tags: Record<string, string>): string =>
  readTemplate(text)
    .map((part) => (typeof part === 'string' ? part : evaluate(part, (tag) => tags[tag] ?? '')))
    .join('');

describe('the grammar of personal texts', () => {
  it.each([
    ['Hello {{ tag.name }}', 'Hello anna'],
    ['{{tag.name|capitalize}}', 'Anna'],
    ['{{ tag["home town"] | upcase }}!', 'BAD EMS!'],
    ['{{ tag.none | default: "a \\"friend\\"" }}', 'a "friend"'],
    ["{{ tag.none | default: 'one | two }}' }}", 'one | two }}'],
    ['{{ tag.long | truncate: 10 }}', 'a very ...'],
    ['{{ tag.long | truncate: 10, "…" }}', 'a very lo…'],
    ['{{ tag.long | truncate: 2 }}', '...'],
    ['a  {{- tag.name -}}  b', 'aannab'],
    ['{{ "{{" }} and }} and { {', '{{ and }} and { {'],
    ['{{ tag["size"] }} {{ tag.größe }}', '9 XL'],
  ])('writes %s as %s', (text, expected) => {
    const tags = { name: 'anna', 'home town': 'Bad Ems', long: 'a very long text', size: '9', größe: 'XL' };
    expect(written(text, tags)).toBe(expected);
  });

  it('means what Liquid means, with any chain of filters', () => {
    const library = new Liquid({ ownPropertyOnly: true });
    const value = fc.string({ unit: fc.constantFrom(...'aBz é§"\' '), maxLength: 30 });
    let compared = 0;
    fc.assert(
      fc.property(expressions, value, value, (text, a, b) => {
        if (readOrNull(text) === null) return;
        compared++;
        const tags = { a, b, 'home town': b, 'first-name': a };
        // Liquid counts characters, the grammar code units: the same where nothing is cut within an emoji.
        if (/[\u{10000}-\u{10ffff}\p{M}]/u.test(text)) return;
        expect(written(text, tags)).toBe(library.parseAndRenderSync(text, { tag: tags }));
      }),
      { numRuns: cases(2_000, 20_000) },
    );
    expect(compared).toBeGreaterThan(cases(500, 5_000));
  });

  it('renders whatever it has read, for whatever a reader’s tags say, in bounded length and time', () => {
    let rendered = 0;
    fc.assert(
      rendersEverything(() => rendered++),
      { numRuns: cases(20_000, 100_000) },
    );
    expect(rendered).toBeGreaterThan(cases(2_000, 10_000));
  });

  it('reads or refuses a text of any length in time that grows with it alone', () => {
    for (const worst of [
      '{{ ',
      '{{ "',
      '{{ tag.a | strip }}',
      '{{-',
      ' ',
      '{%',
      '{{ tag.a | default: "\\',
      '}}',
    ]) {
      const text = worst.repeat(Math.ceil(100_000 / worst.length));
      expect(leastMs(() => readOrNull(text), 100)).toBeLessThan(100);
    }
  });

  it('has no text for the readers of an output that an earlier release took, and one for all others', () => {
    const outputs = ['{{ (1..tag.a) }}', '{{ tag.a | strip }}', `{{ tag.a ${'| strip '.repeat(420)}}}`];
    const slots = outputs.map((_, at) => ({
      language: null,
      parts: ['x ', [at, 'text'] as [number, 'text']],
    }));
    const plain = { language: 'de', parts: ['Sturm'] };
    const render = createRenderText({ texts: [...slots, plain], outputs, tags: ['a'] });
    const shown = [0, 1, 2, 3].map((text) => render(text, ['100001'])?.toString() ?? null);
    expect(shown).toEqual([null, 'x 100001', null, 'Sturm']);
  });
});
