// tier: unit
import { describe, expect, it } from 'vitest';
import { createRecentLines } from '../../reporting/report/recent-lines.ts';

describe('small answers about statistics', () => {
  const statement = (maxLoad: number) => ({ select: 'SELECT 1', params: { max_load: maxLoad } });

  it('are read once for one state of the ledger', async () => {
    const recent = createRecentLines();
    let reads = 0;
    const ask = (maxLoad: number) => recent.ask(statement(maxLoad), async () => `answer ${++reads}`);
    expect([await ask(1), await ask(1), await ask(2), await ask(1)]).toEqual([
      'answer 1',
      'answer 1',
      'answer 2',
      'answer 1',
    ]);
  });

  it('are read again where they could not be read', async () => {
    const recent = createRecentLines();
    await expect(recent.ask(statement(1), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await recent.ask(statement(1), async () => null)).toBeNull();
    expect(await recent.ask(statement(1), () => Promise.reject(new Error('away')))).toBeNull();
  });
});
