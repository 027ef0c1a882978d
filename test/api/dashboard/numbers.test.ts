// tier: core
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatChance,
  formatPercent,
  formatShare,
  formatSigned,
} from '../../../api/dashboard/web/format/format.ts';
import { amount, chanceText, percentText, shareText } from '../../../engine/kit/command-line/numbers.ts';
import { cases } from '../../support/cases.ts';

const web = join(import.meta.dirname, '../../../api/dashboard/web');

/** The formats of a browser in this language: a process of its own, since texts are read while modules load. */
async function saidIn(language: string): Promise<readonly string[]> {
  const code = `
    globalThis.document = { documentElement: { lang: '' } };
    Object.defineProperty(globalThis, 'navigator', { value: { languages: ['${language}'] } });
    Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => null } });
    const { formatChange, formatNumber, formatPercent, formatPercents, formatShare, percentSign } = await import('${web}/format/format.ts');
    const { countUnit, moneyUnit, percentUnit } = await import('${web}/charts/units.ts');
    const { valueAxis } = await import('${web}/charts/axes.ts');
    const equal = [];
    for (const unit of [countUnit, percentUnit, moneyUnit('EUR')]) for (let power = -6; power < 15; power++)
      for (const digits of [1, 1.3, 2, 3.7, 5, 7, 9.9]) {
        const labels = valueAxis([digits * 10 ** power], [0, 1]).ticks.map(unit.tick);
        if (new Set(labels).size < labels.length) equal.push(labels.join(' '));
      }
    console.log(JSON.stringify([formatPercent(39.87), formatPercent(0.284), formatShare(1, 1e6), formatChange(-3.25),
      formatPercents(5, 10), percentSign(), formatNumber(1234567.5), 'equal ticks: ' + equal.join()]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  return JSON.parse(stdout) as readonly string[];
}

const expected = {
  'en-US': ['39.9%', '0.28%', '<\u00a00.01%', '−3.3%', '5% – 10%', '%', '1,234,567.5'],
  'de-DE': [
    '39,9\u00a0%',
    '0,28\u00a0%',
    '<\u00a00,01\u00a0%',
    '−3,3\u00a0%',
    '5–10\u00a0%',
    '\u00a0%',
    '1.234.567,5',
  ],
  'fr-FR': [
    ...['39,9\u00a0%', '0,28\u00a0%', '<\u00a00,01\u00a0%', '−3,3\u00a0%', '5–10\u00a0%', '\u00a0%'],
    '1\u202f234\u202f567,5',
  ],
  'es-ES': [
    '39,9\u00a0%',
    '0,28\u00a0%',
    '<\u00a00,01\u00a0%',
    '−3,3\u00a0%',
    '5-10\u00a0%',
    '\u00a0%',
    '1.234.567,5',
  ],
} as const;

describe('numbers of the dashboard', () => {
  it.each(Object.keys(expected))(
    'are written as %s writes them, and no two ticks are equal',
    async (language) => {
      expect(await saidIn(language)).toEqual([
        ...expected[language as keyof typeof expected],
        'equal ticks: ',
      ]);
    },
  );

  it('have their sign beside them, also before that of a currency', () => {
    const euros = (value: number): string => `€${value}`;
    expect([3, -3, 0].map((value) => formatSigned(value, String))).toEqual(['+3', '−3', '0']);
    expect([3, -3, 0].map((value) => formatSigned(value, euros))).toEqual(['+\u2060€3', '−\u2060€3', '€0']);
  });

  it('are amounts in full at the command line, with at least two decimals', () => {
    expect(['0', '18653', '21248.5', '603328.92', '12345678901234.12345678'].map(amount)).toEqual([
      ...['0.00', '18,653.00', '21,248.50', '603,328.92', '12,345,678,901,234.12345678'],
    ]);
  });

  it('are those of the command line, in English', () => {
    const whole = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(whole, whole, fc.double({ min: 0, max: 100, noNaN: true }), (a, b, percent) => {
        const [part, all] = [Math.min(a, b), Math.max(a, b)];
        expect(shareText(part, all)).toBe(formatShare(part, all).replace('\u00a0', ' '));
        expect(percentText(percent)).toBe(formatPercent(percent));
        expect(chanceText(percent)).toBe(formatChance(percent).replace('\u00a0', ' '));
      }),
      { numRuns: cases(300, 5_000) },
    );
  });

  it('are 100% of the whole alone, 0% of nothing alone, and have two decimals below one percent', () => {
    const whole = fc.integer({ min: 1, max: 1_000_000_000 });
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const [part, all] = [Math.min(a, b), Math.max(a, b)];
        expect(formatShare(part, all) === '100%').toBe(part === all);
        expect(formatShare(part, all)).not.toBe('0%');
        expect(formatShare(part, all)).toMatch(
          part * 100 < all * 0.9 ? /^(<\u00a0)?0(\.\d{1,2})?%$/ : /^\d+(\.\d)?%$|^0\.9\d?%$/,
        );
      }),
      { numRuns: cases(300, 5_000) },
    );
  });
});
