// tier: system, clickhouse
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { type VisibleLoads, visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import { dayText, knownDay } from '../../../engine/contract/days.ts';
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
  const seen = await seenBy({
    maxLoad: 4,
    hidden: [2],
    superseded: [{ source: 'gam', firstDay: '2026-03-01', lastDay: '2026-03-01', below: 3 }],
  });
  expect(seen).toEqual([
    'gam 2026-03-01 00:00:00 3',
    'gam 2026-03-01 00:00:00 4',
    'gam 2026-03-02 00:00:00 1',
    'prebid 2026-03-01 00:00:00 1',
  ]);
});

it('a report sees past a year of days that were restated one by one, of many sources, some by hours in a zone', async () => {
  const first = knownDay('2025-01-01');
  const days = Array.from({ length: 360 }, (_, n) => first + n);
  // Every second day, and some in a row.
  const isRestated = (day: number): boolean => (day - first) % 2 === 0 || (day - first) % 60 < 4;
  const DAY = 86_400;
  // Of a source whose days begin five hours after those of UTC.
  const LATE = 5 * 3_600;
  const put = async (source: string, at: (day: number) => string) => {
    for (const load of [11, 12])
      await insertAdRows(
        clickhouse,
        days.map((day) => buildAdRow({ at: at(day) })),
        { load, source },
      );
  };
  const whole = Array.from({ length: 12 }, (_, n) => `whole-${n}`);
  for (const source of whole.slice(0, 2)) await put(source, dayText);
  await put('late', (day) => `${dayText(day)}T04:59:59Z`);
  await put('early', (day) => `${dayText(day)}T05:00:00Z`);
  await put('named', dayText);
  const runs = days
    .filter(isRestated)
    .map((day) => ({ firstDay: dayText(day), lastDay: dayText(day), below: 12 }));
  const hourRuns = runs.map((run) => {
    const from = knownDay(run.firstDay) * DAY + LATE;
    return { ...run, hours: [from, from + DAY] as const };
  });
  const seen = await seenBy({
    ...{ maxLoad: 12, hidden: [1, 2, 3, 4, 5] },
    superseded: [
      ...whole.flatMap((source) => runs.map((run) => ({ ...run, source }))),
      ...['late', 'early', 'named'].flatMap((source) => hourRuns.map((run) => ({ ...run, source }))),
    ],
  });
  // A row at 4:59 is of the day before.
  const expected = [...whole.slice(0, 2), 'early', 'named', 'late'].flatMap((source) =>
    days.flatMap((day) => {
      const at = { late: '04:59:59', early: '05:00:00' }[source] ?? '00:00:00';
      const isDead = isRestated(source === 'late' ? day - 1 : day) && !(source === 'late' && day === first);
      return (isDead ? [12] : [11, 12]).map((load) => `${source} ${dayText(day)} ${at} ${load}`);
    }),
  );
  expect(seen).toEqual(expected.toSorted());
});

/** In their order: each as `source time load`. */
async function seenBy(ledger: VisibleLoads): Promise<string[]> {
  const condition = visibleRows(ledger);
  const answer = await clickhouse.client.query({
    query: `SELECT concat(source, ' ', toString(at), ' ', toString(load)) AS seen FROM ad_stats
      WHERE ${condition.text} ORDER BY seen`,
    query_params: { ...condition.params },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ seen: string }>()).map(({ seen }) => seen);
}
