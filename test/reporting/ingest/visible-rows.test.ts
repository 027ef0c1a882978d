// tier: system, clickhouse
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import { buildAdRow, insertAdRows } from '../../support/ad-stats.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = await openTestClickHouse();
});
afterAll(() => clickhouse.close());

it('a report sees a restatement itself, later rows, and of earlier ones only other days and sources', async () => {
  const put = (source: string, day: string, load: number) =>
    insertAdRows(clickhouse, [buildAdRow({ at: day })], { load, source });
  for (const load of [1, 2, 3, 4, 5]) await put('gam', '2026-03-01', load);
  await put('gam', '2026-03-02', 1);
  await put('prebid', '2026-03-01', 1);
  const condition = visibleRows({
    maxLoad: 4,
    hidden: [2],
    superseded: [{ source: 'gam', firstDay: '2026-03-01', lastDay: '2026-03-01', below: 3 }],
  });
  const answer = await clickhouse.client.query({
    query: `SELECT concat(source, ' ', toString(toDate(at)), ' ', toString(load)) AS seen FROM ad_stats
      WHERE ${condition.text} ORDER BY seen`,
    query_params: { ...condition.params },
    format: 'JSONEachRow',
  });
  expect((await answer.json<{ seen: string }>()).map(({ seen }) => seen)).toEqual([
    'gam 2026-03-01 3',
    'gam 2026-03-01 4',
    'gam 2026-03-02 1',
    'prebid 2026-03-01 1',
  ]);
});
