// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adRowText } from '../../engine/contract/ad-stats.ts';
import { codedValue } from '../../engine/contract/ad-values/coded-values.ts';
import { countrySpellings, countryTable } from '../../engine/contract/ad-values/countries.ts';

const countries = [...countrySpellings()];

describe('a country', () => {
  it('has a code of two letters, and one of three, that no other country has', () => {
    expect(countries).toHaveLength(250);
    for (const at of [0, 1]) expect(new Set(countries.map(([, all]) => all[at])).size).toBe(250);
    for (const [code, [alpha2, alpha3]] of countries) {
      expect(alpha2).toBe(code);
      expect(alpha3).toMatch(/^[A-Z]{3}$|^XK$/);
    }
  });

  it('shares no spelling with another one', () => {
    // It throws where one does.
    expect(countryTable().size).toBeGreaterThan(1_000);
  });

  it('is its code, however a network spells it', () => {
    const spelled = fc.constantFrom(
      ...countries.flatMap(([code, all]) => all.map((text) => ({ code, text }))),
    );
    const written = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) => ` \u00a0${text}\t`,
      (text: string) => text.normalize('NFD'),
      (text: string) => text.replaceAll(' & ', ' and ').replaceAll('’', "'"),
    );
    fc.assert(
      fc.property(spelled, written, ({ code, text }, write) => {
        expect(codedValue('country', write(text))).toBe(code);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is found by what networks write', () => {
    for (const [text, code] of [
      ['Germany', 'DE'],
      ['Deutschland', 'DE'],
      ['deu', 'DE'],
      ['United States', 'US'],
      ['USA', 'US'],
      ['Vereinigte Staaten', 'US'],
      ['UK', 'GB'],
      ['South Korea', 'KR'],
      ['Korea, Republic of', 'KR'],
      ["Korea, Democratic People's Republic of", 'KP'],
      ['Czech Republic', 'CZ'],
      ['Czechia', 'CZ'],
      ['Türkei', 'TR'],
      ['Turkey', 'TR'],
      ['Tuerkei', null],
      ['Congo (DRC)', 'CD'],
      ['Guinea-Bissau', 'GW'],
      ['Saint Lucia', 'LC'],
      ['Hong Kong', 'HK'],
      ['Ethiopia', 'ET'],
      ['et', 'ET'],
      ['NA', 'NA'],
      ['Atlantis', null],
      ['EU', null],
      ['Germany (DE)', 'DE'],
      ['Deutschland (de)', 'DE'],
      ['Germany (AT)', null],
      ['x'.repeat(5_000), null],
    ] as const)
      expect([text, codedValue('country', text)]).toEqual([text, code]);
  });
});

describe('values of few words', () => {
  it('are the words of the reports', () => {
    for (const [field, text, value] of [
      ['device', 'Desktop', 'desktop'],
      ['device', 'High-end mobile devices', 'mobile'],
      ['device', 'HighEndMobile', 'mobile'],
      ['device', 'Smartphone', 'mobile'],
      ['device', 'PHON', 'mobile'],
      ['device', 'Tablets', 'tablet'],
      ['device', 'Connected TV', 'connected_tv'],
      ['device', 'connected_tv', 'connected_tv'],
      ['device', 'Internetfähiger Fernseher', 'connected_tv'],
      ['device', 'Sonstige', 'other'],
      ['device', 'Desktops & Laptops', 'desktop'],
      ['device', 'web', null],
      ['media_type', 'Banner', 'display'],
      ['media_type', 'VIDEO', 'video'],
      ['deal_type', 'Open Auction', 'open auction'],
      ['deal_type', 'Offene Auktion', 'open auction'],
      ['deal_type', 'Preferred Deals', 'deal'],
      ['deal_type', 'Programmatic Guaranteed', null],
    ] as const)
      expect([text, codedValue(field, text)]).toEqual([text, value]);
  });

  it('are empty where a network does not know', () => {
    for (const text of [
      '',
      '-',
      '(not set)',
      'Unknown',
      '(unknown)',
      'Unbekannt',
      'N/A',
      'ZZ',
      'Unknown region',
    ])
      for (const field of ['country', 'device'] as const)
        expect([text, codedValue(field, text)]).toEqual([text, '']);
  });

  it('are in rows of files and of the log, and another text is kept', () => {
    const row = adRowText(
      { load: 1, source: 'gam', row: 1 },
      { country: 'Deutschland', device: 'Tablets', media_type: ' Rewarded ', os: 'Android' },
    );
    expect(row.split('\t').filter((text) => text !== '')).toEqual([
      ...['1', 'gam', '1', 'Rewarded', 'tablet', 'Android', 'DE', '\n'],
    ]);
  });
});
