import { describe, expect, it } from 'vitest';
import { soak } from '../../bench/encryption/soak.ts';
import { chartPage } from '../../bench/micro/chart.ts';
import { type Case, measureCases } from '../../bench/micro/measure.ts';

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
    const page = chartPage(
      [
        { ...row, name: '<b>node' },
        { ...row, name: 'openssl', median: 1 },
      ],
      'today',
    );
    expect(page).toContain('&#60;b&#62;node');
    expect([...page.matchAll(/width:(\d+)px/g)].map(([, width]) => width)).toEqual(['420', '210']);
  });
});

describe('npm run bench -- soak-encryption', () => {
  it('encrypts on threads that come and go, and reads what it wrote', async () => {
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
