// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutClick } from '../../api/sdk/browser/click-address.ts';
import { withClick } from '../../engine/notification/click-parameter.ts';
import { cases } from '../support/cases.ts';

const origin = { delivery: `dlv_${'a'.repeat(16)}`, proof: 'b'.repeat(22) };
const site = 'https://news.example';
const click = `broadside=${origin.delivery}.${origin.proof}`;
const added = (url: string, button: number | null = null): string => withClick(url, site, origin, button);

describe('the click in an address', () => {
  it.each([
    [`${site}`, `${site}?${click}`],
    [`${site}/storm`, `${site}/storm?${click}`],
    [`${site}/storm?a=1#map`, `${site}/storm?a=1&${click}#map`],
    [`${site}/storm?`, `${site}/storm?&${click}`],
    [`${site}/storm#a?b`, `${site}/storm?${click}#a?b`],
    ['https://NEWS.example:443/storm', `https://NEWS.example:443/storm?${click}`],
  ])('%s becomes %s, and the SDK takes it off again', (url, expected) => {
    expect(added(url)).toBe(expected);
    expect(withoutClick(expected)).toBe(url);
  });

  it('says which button it is', () => {
    expect(added(`${site}/map`, 1)).toBe(`${site}/map?${click}.1`);
    expect(withoutClick(`${site}/map?${click}.1`)).toBe(`${site}/map`);
  });

  it.each([
    'https://sport.news.example/storm',
    'http://news.example/storm',
    'https://news.example.evil.example/storm',
    'https://bucket.example/storm.pdf?X-Amz-Signature=1',
    `${site}/storm?broadside=own`,
  ])('is not in %s', (url) => {
    expect(added(url)).toBe(url);
    expect(withClick(url, undefined, origin, null)).toBe(url);
  });

  it('taken off leaves every address as it was written, also where others added to it', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), fc.option(fc.nat(4)), (path, query, button) => {
        for (const url of [`${site}${path}`, `${site}${path}?${query}`, `${site}${path}?${query}#top`])
          expect(withoutClick(added(url, button))).toBe(url);
      }),
      { numRuns: cases(100, 1_000) },
    );
    expect(withoutClick(`${added(`${site}/storm?a=1`)}&fbclid=2`)).toBe(`${site}/storm?a=1&fbclid=2`);
    expect(withoutClick(`${added(`${site}/storm`)}&fbclid=2#top`)).toBe(`${site}/storm?fbclid=2#top`);
  });
});
