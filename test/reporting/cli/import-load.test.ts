// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { InsertEnding } from '../../../engine/contract/insert-ending.ts';
import { type ImportLedger, importLoad } from '../../../reporting/cli/ad-stats/import-load.ts';
import { type AdStatsStore, createAdStatsStore } from '../../../reporting/ingest/ad-stats-store.ts';
import { adRows, buildAdRow } from '../../support/ad-stats.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

const PIECES = 3;
const ROWS_A_PIECE = 4;
const away: InsertEnding = { kind: 'away', store: 'ClickHouse', reason: 'the answer was lost' };

describe('a file of ad statistics on its way into ClickHouse', () => {
  let clickhouse: ClickHouse;
  let load = 100;
  beforeAll(async () => {
    clickhouse = await openTestClickHouse();
  });
  afterAll(() => clickhouse.close());

  /** Over the real store, with a ledger that takes everything. @param insertRows in the place of the store's. */
  async function importPieces(insertRows: (store: AdStatsStore) => AdStatsStore['insertRows']) {
    const store = createAdStatsStore(clickhouse);
    const ended: string[] = [];
    const ledger: ImportLedger = {
      lock: async () => ({ release: async () => {} }),
      register: async () => ({ kind: 'registered', load: ++load }),
      isPending: async () => true,
      activate: async () => ended.push('active') > 0,
      abandon: async () => void ended.push('abandoned'),
    };
    const ending = await importLoad(
      {
        ledger,
        store: { insertRows: insertRows(store), loadTotals: store.loadTotals },
        pause: async () => {},
        onProgress: () => {},
      },
      {
        ...{ source: 'gam', kind: 'append', content: 'file', maxBad: 0, completeUntil: null },
        rows: async function* (id) {
          for (let n = 0; n < PIECES; n++) yield adRows(id, Array(ROWS_A_PIECE).fill(buildAdRow()));
        },
      },
    ).catch((error: Error) => error.message);
    return { ending, ended };
  }

  it('counts each row once where the answer to an insert that was carried out is lost', async () => {
    const lost = new Set<string>();
    const { ending, ended } = await importPieces((store) => async (rows, token) => {
      const found = await store.insertRows(rows, token);
      if (lost.has(token)) return found;
      lost.add(token);
      return away;
    });
    expect(ending).toMatchObject({ kind: 'imported', rows: PIECES * ROWS_A_PIECE, refused: 0 });
    expect(ended).toEqual(['active']);
    expect(lost.size).toBe(PIECES);
  });

  it('takes nothing of a file of which ClickHouse has fewer rows than were sent', async () => {
    let pieces = 0;
    const { ending, ended } = await importPieces((store) => async (rows, token) => {
      const isLast = ++pieces === PIECES;
      return isLast ? { kind: 'inserted', rows: rows.rows } : store.insertRows(rows, token);
    });
    expect(ending).toBe('ClickHouse has 8 of 12 rows');
    expect(ended).toEqual(['abandoned']);
  });

  it('takes nothing of a file where ClickHouse stays away', async () => {
    const { ending, ended } = await importPieces(() => async () => away);
    expect(ending).toBe('ClickHouse does not take the rows: the answer was lost');
    expect(ended).toEqual(['abandoned']);
  });
});
