// tier: system
import { describe, expect, it } from 'vitest';
import { soak } from '../../bench/encryption/soak.ts';
import { type Case, measureCases } from '../../bench/micro/measure.ts';
import { microReport } from '../../bench/micro/report.ts';
import { page } from '../../bench/report/page.ts';

describe('npm run bench -- micro', () => {
  it('measures a unit, not a run, in turns, and compares with the first of the group', () => {
    let clock = 0;
    const order: string[] = [];
    const caseOf = (group: string, name: string, us: number, units = 1): Case => ({
      ...{ group, name, units, unit: 'message' },
      run: () => {
        clock += us;
        if (order.at(-1) !== name) order.push(name);
      },
    });
    const cases = [caseOf('a', 'first', 100), caseOf('a', 'second', 1_600, 16), caseOf('b', 'third', 50)];
    const rows = measureCases(cases, 3, () => clock);
    expect(rows.map(({ name, minimum, ratio }) => ({ name, minimum, ratio }))).toEqual([
      { name: 'first', minimum: 100, ratio: 1 },
      { name: 'second', minimum: 100, ratio: 1 },
      { name: 'third', minimum: 50, ratio: 1 },
    ]);
    expect(order).toEqual(Array(4).fill(['first', 'second', 'third']).flat());
  });

  it('draws a bar for each case, with names as they are', () => {
    const row = { group: 'a', unit: 'message', minimum: 1, median: 2, maximum: 3, ratio: 1 };
    const rows = [
      { ...row, name: '<b>node' },
      { ...row, name: 'openssl', median: 1, maximum: 1 },
    ];
    const html = page(microReport(rows, 7), new Date(0));
    expect(html).toContain('&lt;b&gt;node');
    expect(html).not.toContain('<b>node');
    const widths = [...html.matchAll(/class="fill" style="width:([\d.]+)%"/g)].map(([, width]) => width);
    // Of the longest, its whisker included.
    expect(widths).toEqual(['66.67', '33.33']);
  });
});

describe('npm run bench -- soak-encryption', () => {
  it('encrypts on threads that come and go, and decrypts the result', async () => {
    const said: string[] = [];
    const options = {
      backend: 'openssl',
      cryptoMbLibrary: null,
      messages: 900,
      lives: 3,
      json: true,
    } as const;
    const row = await soak(options, (text) => said.push(text));
    expect(row.messages).toBeGreaterThanOrEqual(900);
    expect(row.refused).toBeGreaterThan(0);
    expect(row.read).toBeGreaterThan(0);
    expect(said).toHaveLength(3);
  });

  it('fails where a thread cannot begin', async () => {
    const options = { messages: 10, lives: 1, json: true, cryptoMbLibrary: '/nowhere/libcrypto_mb.so' };
    await expect(soak({ ...options, backend: 'multibuffer' }, () => {})).rejects.toThrow();
  });
});
