// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCleaner } from '../../../../reporting/cli/ad-stats/values/clean.ts';
import { hourOfDay, writtenDate } from '../../../../reporting/cli/ad-stats/values/date.ts';
import {
  type DecimalMark,
  digitsOf,
  times,
  withoutExponent,
  writtenNumber,
} from '../../../../reporting/cli/ad-stats/values/number.ts';
import { createSurvey } from '../../../../reporting/cli/ad-stats/values/survey.ts';

const read = (text: string, mark: DecimalMark, isCount = false): string | null => {
  const written = writtenNumber(text);
  const digits = written === null ? null : digitsOf(written.body, mark, isCount);
  return digits === null ? null : `${written?.negative === true ? '-' : ''}${digits}`;
};

const rules = { mark: null, order: null, pointIsDecimal: true } as const;
function styleOf(column: 'at' | 'earnings' | 'impressions', values: readonly string[], more = {}) {
  const survey = createSurvey({ ...rules, ...more });
  for (const [index, value] of values.entries()) survey.addRow({ [column]: value }, index + 2, 'EUR');
  return survey.style();
}

describe('numbers as networks write them', () => {
  it('are read with their marks, signs of money and spaces', () => {
    for (const [text, mark, value] of [
      ['1,234.56', '.', '1234.56'],
      ['1.234,56', ',', '1234.56'],
      ['1 234,56', ',', '1234.56'],
      ['1\u00a0234\u00a0567', ',', '1234567'],
      ['1\u202f234,5 €', ',', '1234.5'],
      ["1'234'567.5", '.', '1234567.5'],
      ['€1,234.5', '.', '1234.5'],
      ['-$1,234.50', '.', '-1234.50'],
      ['US$ 12.30', '.', '12.30'],
      ['12,30 EUR', ',', '12.30'],
      ['(1.50)', '.', '-1.50'],
      ['−3,5', ',', '-3.5'],
      ['.5', '.', '0.5'],
      ['12,34,567.8', '.', '1234567.8'],
      ['NOK 12345678', '.', '12345678'],
    ] as const)
      expect(read(text, mark), text).toBe(value);
  });

  it('are none where they are not a number in any language', () => {
    for (const text of [
      '',
      'many',
      '1,2,3',
      '1.2.3',
      '12 apples',
      '$',
      '--5',
      '1,23.4,5',
      '€5 USD',
      'x1',
      '1-2',
    ])
      expect(read(text, '.') ?? read(text, ','), text).toBeNull();
  });

  it('round-trips any amount through any language’s form, and never into another amount', () => {
    const amount = fc.tuple(fc.boolean(), fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 0, max: 999_999 }));
    const form = fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'es-ES', 'pl-PL');
    fc.assert(
      fc.property(amount, form, ([negative, whole, part], locale) => {
        const decimals = String(part).padStart(6, '0');
        const text = `${negative ? '-' : ''}${whole}.${decimals}`;
        const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 6 }).format(text as never);
        const mark = ['en-US', 'de-CH', 'en-IN'].includes(locale) ? '.' : ',';
        expect(read(written, mark)).toBe(negative && (whole > 0n || part > 0) ? text : read(text, '.'));
        const other = read(written, mark === '.' ? ',' : '.');
        expect(other).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('three digits behind a mark are thousands of a count', () => {
    expect([read('1.234', ',', true), read('1,234', '.', true)]).toEqual(['1234', '1234']);
    expect([read('1.234', '.', true), read('12.0', '.', true), read('5.3', '.', true)]).toEqual([
      null,
      '12',
      null,
    ]);
  });

  it('multiplies exactly', () => {
    expect(times('123456789', '0.000001')).toBe('123.456789');
    expect(times('-5', '0.000001')).toBe('-0.000005');
    expect(times('1.5', '1000')).toBe('1500');
    expect(times('0', '0.5')).toBe('0');
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.integer({ min: 0, max: 12 }), (whole, places) => {
        const scale = places === 0 ? '1' : `0.${'0'.repeat(places - 1)}1`;
        const product = times(String(whole), scale);
        const [digits = '', decimals = ''] = product.split('.');
        expect(BigInt(digits + decimals.padEnd(places, '0'))).toBe(whole);
      }),
    );
  });

  it('expands exponents without a double', () => {
    expect(withoutExponent('1.5E-7')).toBe('0.00000015');
    expect(withoutExponent('1.2345678901234567e+3')).toBe('1234.5678901234567');
    expect([withoutExponent('1e99'), withoutExponent('12')]).toEqual([null, null]);
  });
});

describe('dates as networks write them', () => {
  it('are read where there is one reading', () => {
    for (const [text, day, time, offset] of [
      ['20260314', '2026-03-14', null, null],
      ['2026031405', '2026-03-14', '05:00:00', null],
      ['2026/3/4', '2026-03-04', null, null],
      ['14.03.2026', '2026-03-14', null, null],
      ['4.3.26', '2026-03-04', null, null],
      ['14 Mar 2026', '2026-03-14', null, null],
      ['Mar 14, 2026', '2026-03-14', null, null],
      ['14. März 2026', '2026-03-14', null, null],
      ['Sat, Mar 14, 2026', '2026-03-14', null, null],
      ['14-Mar-26', '2026-03-14', null, null],
      ['46095', '2026-03-14', null, null],
      ['46095.25', '2026-03-14', '06:00:00', null],
      ['2026-03-14T05:00:00+01:00', '2026-03-14', '05:00:00', '+01:00'],
      ['2026-03-14 05:00:00 UTC', '2026-03-14', '05:00:00', 'Z'],
      ['Mar 14, 2026, 5:00 PM', '2026-03-14', '17:00:00', null],
    ] as const)
      expect(writtenDate(text), text).toMatchObject({ days: { certain: day }, time, offset });
  });

  it('are none where they are none', () => {
    for (const text of [
      '',
      'Total',
      '31.02.2026',
      '32/13/2026',
      '2026-13-01',
      '99999',
      '1/2-2026',
      '14/03/2026 25:00',
    ])
      expect(writtenDate(text), text).toBeNull();
  });

  it('have hours in a column of their own', () => {
    expect(
      ['0', '23', '05:00', '5 AM', '12 AM', '12 PM', '05:00 - 06:00', '17:00:00'].map(hourOfDay),
    ).toEqual([0, 23, 5, 5, 0, 12, 5, 17]);
    expect(['24', '5:30', 'x', '13 PM'].map(hourOfDay)).toEqual([null, null, null, null]);
  });

  it('one date of a column decides for all of them, wherever it stands', () => {
    const unsure = Array.from({ length: 500 }, (_, n) => `0${1 + (n % 9)}/04/2026`);
    expect(styleOf('at', [...unsure, '14/03/2026'])).toMatchObject({ order: 'dmy' });
    expect(styleOf('at', ['03/14/2026', ...unsure])).toMatchObject({ order: 'mdy' });
    expect(styleOf('at', ['3/14/26', '3/4/26'])).toMatchObject({ order: 'mdy' });
    expect(styleOf('at', ['05/05/2026', '2026-03-04'])).toMatchObject({ order: null });
  });

  it('a column that leaves the order open is refused with the readings', () => {
    expect(() => styleOf('at', ['03/04/2026', '05/06/2026'])).toThrow(
      /"03\/04\/2026" \(line 2\) may be 3 April 2026 with the day first, or 4 March 2026 with the month first.*--dates dmy or --dates mdy/,
    );
    expect(() => styleOf('at', ['26/03/14', '26/03/15'])).toThrow(/26 March 2014 .*14 March 2026/);
    expect(() => styleOf('at', ['14/03/2026', '03/14/2026'])).toThrow(/different orders/);
    expect(styleOf('at', ['03/04/2026'], { order: 'mdy' })).toMatchObject({ order: 'mdy' });
  });

  it('any day in any of the orders comes out as it went in, or is refused', () => {
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('dmy', 'mdy'),
        (days, order) => {
          const iso = days.map((one) => one.toISOString().slice(0, 10));
          const texts = iso.map((one) => {
            const [year, month, date] = one.split('-');
            return order === 'dmy' ? `${date}/${month}/${year}` : `${month}/${date}/${year}`;
          });
          let style: ReturnType<typeof styleOf>;
          try {
            style = styleOf('at', texts);
          } catch {
            expect(iso.every((one) => Number(one.slice(8)) <= 12)).toBe(true);
            return;
          }
          const clean = createCleaner({
            ...{ style, pointIsDecimal: true, zone: null, scale: {}, currency: null },
            times: { declared: null, midnightIs: 'day' },
          });
          expect(texts.map((at) => (clean({ at }) as { at: string }).at)).toEqual(iso);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('what a file shows of its numbers', () => {
  it('one of them decides for all', () => {
    expect(styleOf('earnings', ['1,234', '5,5'])).toMatchObject({ mark: ',' });
    expect(styleOf('earnings', ['1,234', '1,234.5'])).toMatchObject({ mark: '.' });
    expect(styleOf('impressions', ['1.234'])).toMatchObject({ mark: ',' });
  });

  it('what leaves the mark open is refused with the readings', () => {
    expect(() => styleOf('earnings', ['1,234'])).toThrow(
      /"1,234" \(line 2\) may be 1234 or 1.234.*--decimal comma/,
    );
    expect(() => styleOf('earnings', ['1.234'], { pointIsDecimal: false })).toThrow(/may be 1.234 or 1234/);
    expect(() => styleOf('earnings', ['1.5', '1,5'])).toThrow(/decimal point and .* a decimal comma/);
    expect(styleOf('earnings', ['1.234'])).toMatchObject({ mark: '.' });
  });

  it('a sign of several currencies is refused where nobody says which', () => {
    const survey = createSurvey(rules);
    survey.addRow({ earnings: '$1.50' }, 2, null);
    expect(() => survey.style()).toThrow(/may be of USD, AUD.*--currency USD/);
  });
});

describe('a row', () => {
  const clean = (texts: object, more: object = {}) =>
    createCleaner({
      ...{ style: { mark: '.', order: null }, pointIsDecimal: true, zone: null, scale: {}, currency: null },
      ...{ times: { declared: null, midnightIs: 'hour' } },
      ...more,
    } as never)(texts);

  it('has its hour from a column, in the zone of its source', () => {
    const zone = 'Europe/Berlin';
    expect(clean({ at: '2026-07-01', hour: '0' }, { zone })).toMatchObject({ at: '2026-06-30T22:00:00Z' });
    expect(clean({ at: '2026-01-01', hour: '5' }, { zone })).toMatchObject({ at: '2026-01-01T04:00:00Z' });
    expect(clean({ at: '2026-10-25', hour: '2' }, { zone })).toMatchObject({ at: '2026-10-25T00:00:00Z' });
    expect(clean({ at: '2026-03-29', hour: '2' }, { zone })).toMatchObject({
      reason: expect.stringMatching(/does not exist/),
    });
    expect(clean({ at: '2026-03-01', hour: '25' })).toMatchObject({
      reason: expect.stringMatching(/hour is none/),
    });
    expect(clean({ at: '2026-03-01', hour: '2026-03-01 07:00:00' })).toMatchObject({
      at: '2026-03-01T07:00:00',
    });
  });

  it('has nothing where networks write that there is nothing', () => {
    expect(
      clean({ at: '2026-03-01', domain: '(not set)', country: '-', impressions: '-', earnings: '–' }),
    ).toEqual({
      ...{ at: '2026-03-01', domain: '', country: '', impressions: '', earnings: '', currency: 'EUR' },
    });
  });

  it('is in the currency of its sign, and set aside where two are said', () => {
    expect(clean({ at: '2026-03-01', earnings: '£1.50' })).toMatchObject({
      earnings: '1.50',
      currency: 'GBP',
    });
    expect(clean({ at: '2026-03-01', earnings: '$1.50' }, { currency: 'CAD' })).toMatchObject({
      currency: 'CAD',
    });
    expect(clean({ at: '2026-03-01', earnings: '€1.50', currency: 'usd' })).toMatchObject({
      reason: 'earnings is in €, and the currency of the row is USD',
    });
  });

  it('takes no percentage for a figure, and no amount in another language', () => {
    expect(clean({ at: '2026-03-01', viewable: '65 %' })).toMatchObject({
      reason: expect.stringMatching(/percentage/),
    });
    expect(clean({ at: '2026-03-01', earnings: '1.5' }, { style: { mark: ',', order: null } })).toMatchObject(
      {
        reason: expect.stringMatching(/not written like/),
      },
    );
  });

  it('is multiplied by the scale of its source', () => {
    const scale = { earnings: '0.000001' };
    expect(clean({ at: '2026-03-01', earnings: '1234567' }, { scale })).toMatchObject({
      earnings: '1.234567',
    });
    expect(clean({ at: '2026-03-01', earnings: 'NOK 1234567' }, { scale })).toMatchObject({
      earnings: '1.234567',
      currency: 'NOK',
    });
  });
});
