// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import {
  abandonLoad,
  activateLoad,
  isPending,
  type LoadKind,
  registerLoad,
} from '../../../reporting/ingest/ad-loads.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

const march = { firstDay: '2026-03-01', lastDay: '2026-03-31' };

describe('the ledger of ad statistics', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const register = (content: string, kind: LoadKind = 'append', source = 'gam') =>
    registerLoad(test.database, { source, kind, content });
  const registered = async (content: string, kind: LoadKind = 'append', source = 'gam') => {
    const found = await register(content, kind, source);
    expect(found.kind).toBe('registered');
    return found.load;
  };
  const activate = (
    load: number,
    days: readonly string[] = ['2026-03-01'],
    completeUntil: Date | null = null,
  ) => activateLoad(test.database, { load, days, rows: 1, refused: 0, completeUntil });
  const ledger = () => readLedger(test.database, march);

  it('shows nothing where nothing was loaded', async () => {
    expect(await ledger()).toEqual({
      ...{ maxLoad: 0, hidden: [], superseded: [], restated: false, completeUntil: null, dayZones: {} },
      bySource: { completeUntil: {}, restated: [] },
    });
  });

  it('hides a load until it is active, and forever when it was abandoned', async () => {
    const load = await registered('a');
    expect(await ledger()).toMatchObject({ maxLoad: load, hidden: [load] });
    expect(await activate(load)).toBe(true);
    expect(await ledger()).toMatchObject({ maxLoad: load, hidden: [] });
    const second = await registered('b');
    await abandonLoad(test.database, second);
    expect(await activate(second)).toBe(false);
    expect(await ledger()).toMatchObject({ maxLoad: second, hidden: [second] });
  });

  it('activates twice like once', async () => {
    const load = await registered('a', 'restate');
    expect(await activate(load)).toBe(true);
    const before = await ledger();
    expect(await activate(load)).toBe(true);
    expect(await ledger()).toEqual(before);
  });

  it('knows the same content of the same source again, and no other', async () => {
    const load = await registered('a');
    await activate(load);
    expect(await register('a')).toMatchObject({ kind: 'known', load });
    expect(await register('a', 'append', 'prebid')).toMatchObject({ kind: 'registered' });
    expect(await register('b')).toMatchObject({ kind: 'registered' });
    expect(await register('a', 'restate')).toMatchObject({ kind: 'registered' });
  });

  it('gives a dead import up and begins it anew, and goes on with a batch', async () => {
    const file = await registered('file');
    const batch = await registered('batch', 'batch');
    const again = await registered('file');
    expect(again).toBeGreaterThan(file);
    expect(await isPending(test.database, file)).toBe(false);
    expect(await activate(file)).toBe(false);
    expect(await register('batch', 'batch')).toEqual({ kind: 'registered', load: batch });
  });

  it('makes the rows of restated days dead in the moment the new ones appear, and only those', async () => {
    await activate(await registered('old'), ['2026-03-01', '2026-03-02', '2026-03-05']);
    const restating = await registered('new', 'restate');
    expect(await ledger()).toMatchObject({ superseded: [], restated: false });
    await activate(restating, ['2026-03-01', '2026-03-02', '2026-03-05']);
    expect(await ledger()).toMatchObject({
      hidden: [],
      restated: true,
      superseded: [
        { source: 'gam', firstDay: '2026-03-01', lastDay: '2026-03-02', below: restating },
        { source: 'gam', firstDay: '2026-03-05', lastDay: '2026-03-05', below: restating },
      ],
    });
    expect(await readLedger(test.database, { firstDay: '2026-03-03', lastDay: '2026-03-04' })).toMatchObject({
      ...{ superseded: [], restated: false },
    });
  });

  it('counts loads registered after a restatement began on top of it', async () => {
    const restating = await registered('new', 'restate');
    const late = await registered('late', 'batch');
    await activate(late);
    await activate(restating);
    expect(late).toBeGreaterThan((await ledger()).superseded[0]?.below ?? Number.POSITIVE_INFINITY);
  });

  it('lets the restatement that was registered later win, whichever ends first', async () => {
    const first = await registered('one', 'restate');
    const second = await registered('two', 'restate');
    await activate(second);
    await activate(first);
    expect((await ledger()).superseded).toMatchObject([{ below: second }]);
  });

  it('shows a load dead on arrival again as superseded, where its day had been cleaned', async () => {
    const slow = await registered('slow');
    const restating = await registered('new', 'restate');
    await activate(restating);
    await test.database.query('UPDATE ad_restated SET cleaned_at = now()');
    expect((await ledger()).superseded).toEqual([]);
    await activate(slow);
    expect((await ledger()).superseded).toMatchObject([{ below: restating }]);
  });

  it('restates the same file anew where something came upon it since', async () => {
    const load = await registered('a', 'restate');
    await activate(load);
    expect(await register('a', 'restate')).toMatchObject({ kind: 'known', load });
    await activate(await registered('late', 'batch'), ['2026-03-09']);
    expect(await register('a', 'restate')).toMatchObject({ kind: 'known', load });
    await activate(await registered('later', 'batch'), ['2026-03-01']);
    expect(await register('a', 'restate')).toMatchObject({ kind: 'registered' });
  });

  it('counts what 0.2.0 rewrote as no statement of the source: it restates nothing, and no file anew', async () => {
    const restating = await registered('file', 'restate');
    await activate(restating, ['2026-03-01']);
    await test.database.query(`INSERT INTO ad_loads (source, kind, content, state, ended_at, days)
      VALUES ('gam', 'rewrite', 'domain-names 2026-03-01', 'active', now(), '{2026-03-01}')`);
    await test.database.query(`INSERT INTO ad_restated (source, day, below, rewritten)
      SELECT 'gam', '2026-03-02', max(id), true FROM ad_loads`);
    expect(await register('file', 'restate')).toMatchObject({ kind: 'known', load: restating });
    const second = { firstDay: '2026-03-02', lastDay: '2026-03-02' };
    const rewritten = await readLedger(test.database, second);
    expect(rewritten).toMatchObject({ restated: false, superseded: [{ firstDay: '2026-03-02' }] });
    await activate(await registered('later', 'restate'), ['2026-03-02']);
    expect(await readLedger(test.database, second)).toMatchObject({ restated: true });
  });

  it('shows no reader an id before a smaller one, however many register at once', async () => {
    let highest = 0;
    const seen = new Set<number>();
    let done = false;
    const reader = (async () => {
      while (!done) {
        const { maxLoad, hidden } = await ledger();
        expect(hidden).toEqual(Array.from({ length: maxLoad }, (_, n) => n + 1));
        highest = Math.max(highest, maxLoad);
      }
    })();
    await Promise.all(Array.from({ length: 60 }, async (_, n) => seen.add(await registered(`file ${n}`))));
    done = true;
    await reader;
    expect(seen.size).toBe(60);
    expect((await ledger()).maxLoad).toBe(60);
  });

  it('shows until when all sources that state it are complete', async () => {
    const until = (day: number) => new Date(Date.UTC(2026, 2, day));
    await activate(await registered('a'), ['2026-03-01'], until(5));
    await activate(await registered('b', 'append', 'prebid'), ['2026-03-01'], until(3));
    await activate(await registered('c', 'append', 'silent'));
    expect((await ledger()).completeUntil).toEqual(until(3));
    await activate(await registered('d', 'batch', 'prebid'), ['2026-03-01'], until(4));
    await activate(await registered('e', 'batch', 'prebid'), ['2026-03-01'], until(2));
    expect((await ledger()).completeUntil).toEqual(until(4));
    await test.database.query(
      `UPDATE ad_sources SET reported_at = now() - interval '40 days' WHERE source = 'prebid'`,
    );
    expect((await ledger()).completeUntil).toEqual(until(5));
  });

  it('lets an import correct a source’s statement downwards, and keeps it where an import states none', async () => {
    const until = (day: number) => new Date(Date.UTC(2026, 2, day));
    await activate(await registered('a', 'batch'), ['2026-03-01'], until(9));
    await activate(await registered('b', 'restate'), ['2026-03-01'], until(3));
    expect((await ledger()).completeUntil).toEqual(until(3));
    await activate(await registered('c'), ['2026-03-01']);
    expect((await ledger()).completeUntil).toEqual(until(3));
  });

  it('marks the requested days as restated, and neither the days around them nor those between two periods', async () => {
    await activate(await registered('a', 'restate'), ['2026-03-05', '2026-03-20']);
    const restated = async (...asked: [number, number][]) => {
      const days = asked.map(([first, last]) => ({
        firstDay: `2026-03-${String(first).padStart(2, '0')}`,
        lastDay: `2026-03-${String(last).padStart(2, '0')}`,
      }));
      return (await readLedger(test.database, march, days)).restated;
    };
    expect(await restated([6, 19])).toBe(false);
    expect(await restated([1, 4], [6, 10])).toBe(false);
    expect(await restated([5, 5])).toBe(true);
    expect(await restated([6, 8], [20, 22])).toBe(true);
  });
});
