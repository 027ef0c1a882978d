// tier: postgres
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFinalDays, type FinalDays } from '../../../../engine/adapters/postgres/final-days.ts';
import { type DayState, dayStates } from '../../../../engine/contract/day-states.ts';
import { dayText, knownDay } from '../../../../engine/contract/days.ts';
import {
  activateLoad,
  DaysAreFinal,
  type LoadKind,
  noteDayZone,
  registerLoad,
} from '../../../../reporting/ingest/ad-loads.ts';
import { noteSourceSettings } from '../../../../reporting/ingest/ad-source-settings.ts';
import {
  applyRules,
  DaysNotOver,
  sayDays,
  sayDaysOfLoads,
} from '../../../../reporting/ingest/days/ad-days.ts';
import { listDays } from '../../../../reporting/ingest/days/list-days.ts';
import { someDays } from '../../../../reporting/ingest/days/some-days.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';

const all = { from: '2026-01-01', until: '2026-12-31', source: null };
const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-05'] as const;

describe('the days of sources', () => {
  let test: TestDatabase;
  let contents = 0;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const load = async (
    own: readonly string[],
    more: {
      kind?: LoadKind;
      says?: 'complete' | 'final' | null;
      mayChangeFinal?: boolean;
      source?: string;
    } = {},
  ): Promise<number> => {
    const { kind = 'append', source = 'gam', ...said } = more;
    const found = await registerLoad(test.database, { source, kind, content: `c${++contents}` });
    const totals = { rows: own.length, refused: 0, days: own, completeUntil: null };
    await activateLoad(test.database, { load: found.load, ...totals, ...said });
    return found.load;
  };
  const states = async (): Promise<string[]> =>
    (await listDays(test.database, all)).map(
      ({ source, first_day: first, last_day: last, state, said_by: by }) =>
        `${source} ${first} ${last} ${state} ${by}`,
    );
  const events = async (): Promise<string[]> => {
    const found = await test.database.query<{ text: string }>(
      `SELECT source || ' ' || first_day || ' ' || last_day || ' ' || said_by AS text FROM ad_final_days ORDER BY id`,
    );
    return found.map(({ text }) => text);
  };
  const claim = (limit = 100): Promise<FinalDays[]> =>
    test.database.transaction((sql) => claimFinalDays(sql, 'schedules', limit));

  it('are those of a zone that Postgres does not know, and hold up no other source', async () => {
    await load([...days]);
    await load([...days], { source: 'other' });
    await noteDayZone(test.database, 'gam', 'SystemV/EST5');
    await test.database.query(
      `UPDATE ad_sources SET complete_until = '2026-03-02T04:30:00Z' WHERE source = 'gam'`,
    );
    expect(await states()).toEqual([
      'gam 2026-03-01 2026-03-03 open null',
      'other 2026-03-01 2026-03-03 open null',
      'gam 2026-03-05 2026-03-05 open null',
      'other 2026-03-05 2026-03-05 open null',
    ]);
    await test.database.query(
      `UPDATE ad_sources SET complete_until = '2026-03-02T05:00:00Z' WHERE source = 'gam'`,
    );
    expect((await states())[0]).toBe('gam 2026-03-01 2026-03-01 complete time');
    await sayDays(test.database, { source: 'gam', days: [days[0]], state: 'final', by: 'person' });
    await noteSourceSettings(test.database, 'gam', { finalAfter: '99999999999' });
    await noteSourceSettings(test.database, 'other', { finalAfter: '0' });
    expect(await applyRules(test.database)).toBe(4);
    await noteSourceSettings(test.database, 'gam', { finalAfter: '0' });
    expect(await applyRules(test.database)).toBe(3);
  });

  it('are open when they come, and what an import says of them holds for all of its days', async () => {
    await load([...days]);
    expect(await states()).toEqual([
      'gam 2026-03-01 2026-03-03 open null',
      'gam 2026-03-05 2026-03-05 open null',
    ]);
    await load([days[0]], { says: 'complete' });
    await load([days[1], days[2]], { says: 'final' });
    expect(await states()).toEqual([
      'gam 2026-03-01 2026-03-01 complete import',
      'gam 2026-03-02 2026-03-03 final import',
      'gam 2026-03-05 2026-03-05 open null',
    ]);
    expect(await events()).toEqual(['gam 2026-03-02 2026-03-03 import']);
  });

  it('become final once, said twice or by two at once, and again after they were opened', async () => {
    await load([days[0]], { says: 'final' });
    const say = (state: DayState) =>
      sayDays(test.database, { source: 'gam', days: [days[0]], state, by: 'person', as: 'me@here' });
    expect(await say('final')).toEqual([]);
    expect(await events()).toHaveLength(1);
    expect(await say('open')).toEqual([days[0]]);
    await Promise.all([say('final'), say('final'), say('final')]);
    expect(await events()).toEqual(['gam 2026-03-01 2026-03-01 import', 'gam 2026-03-01 2026-03-01 person']);
  });

  it('are not changed by an import while they are final, unless it says so; batches count, and both are noted', async () => {
    await load([days[0], days[1]], { says: 'final' });
    const restated = () =>
      test.database.query<object>(
        'SELECT days::text[] AS days, finals, replaces FROM ad_restatements ORDER BY id',
      );
    for (const kind of ['append', 'restate'] as const)
      await expect(load([days[0], days[2]], { kind })).rejects.toThrow(DaysAreFinal);
    await expect(load([days[0], days[1]], {})).rejects.toThrow(
      /2026-03-01, 2026-03-0\d are final, .* delivered for them\./,
    );
    expect(await states()).toEqual(['gam 2026-03-01 2026-03-02 final import']);
    expect(await restated()).toEqual([]);
    await load([days[0], days[2]], { kind: 'restate', mayChangeFinal: true });
    await load([days[1], days[2]], { kind: 'batch' });
    expect(await restated()).toEqual([
      { days: [days[0]], finals: [true], replaces: true },
      { days: [days[1]], finals: [true], replaces: false },
    ]);
    expect(await events()).toHaveLength(1);
  });

  it('are named up to the fifth, and the others counted', () => {
    const many = Array.from({ length: 31 }, (_, at) => dayText(knownDay('2026-03-01') + at));
    expect(someDays(many.slice(0, 2))).toBe('2026-03-01, 2026-03-02');
    expect(someDays(many.slice(0, 6))).toMatch(/, 2026-03-05 and 1 more day$/);
    expect(someDays(many)).toMatch(/, 2026-03-05 and 26 more days$/);
  });

  it('are those of the calendar of the source, and cannot be final before they are over', async () => {
    const now = Date.now();
    await noteDayZone(test.database, 'gam', 'Pacific/Auckland');
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(now);
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    const say = (day: string) =>
      sayDays(test.database, { source: 'gam', days: [day], state: 'final', by: 'person' });
    await expect(say(today)).rejects.toThrow(DaysNotOver);
    expect(await say(yesterday)).toEqual([yesterday]);
    const hours: [number, number] = [Date.parse('2026-03-01T20:00:00Z'), Date.parse('2026-03-01T22:00:00Z')];
    const { load: id } = await registerLoad(test.database, {
      source: 'gam',
      kind: 'append',
      content: 'hours',
    });
    const times = [{ day: '2026-03-01', wholeDays: false, hours }];
    const totals = { rows: 2, refused: 0, days: ['2026-03-01'], times, completeUntil: null };
    await activateLoad(test.database, { load: id, ...totals });
    expect(
      await sayDaysOfLoads(test.database, [id], { source: 'gam', state: 'final', by: 'import' }),
    ).toEqual(['2026-03-02']);
  });

  it('become final by a rule, except those that a person opened again, and are complete by the time of their source', async () => {
    await load([...days]);
    await load([days[0]], { source: 'prebid' });
    await sayDays(test.database, { source: 'gam', days: [days[1]], state: 'final', by: 'person' });
    await sayDays(test.database, { source: 'gam', days: [days[1]], state: 'open', by: 'person' });
    await test.database.query(
      `UPDATE ad_sources SET complete_until = '2026-03-02T00:00:00Z' WHERE source = 'prebid'`,
    );
    await noteSourceSettings(test.database, 'gam', { finalAfter: '3' });
    expect(await applyRules(test.database)).toBe(3);
    expect(await applyRules(test.database)).toBe(0);
    await noteSourceSettings(test.database, 'prebid', { finalAfter: 'never' });
    expect(await applyRules(test.database)).toBe(0);
    expect(await states()).toEqual([
      'gam 2026-03-01 2026-03-01 final rule',
      'prebid 2026-03-01 2026-03-01 complete time',
      'gam 2026-03-02 2026-03-02 open person',
      'gam 2026-03-03 2026-03-03 final rule',
      'gam 2026-03-05 2026-03-05 final rule',
    ]);
  });

  it('are claimed once and in their order, by several processes, one of which rolls back', async () => {
    await load([...days], { says: 'final' });
    await load([days[0]], { source: 'prebid', says: 'final' });
    await expect(
      test.database.transaction(async (sql) => {
        expect(await claimFinalDays(sql, 'schedules', 1)).toHaveLength(1);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    const claimed: FinalDays[] = [];
    for (;;) {
      const before = claimed.length;
      await Promise.all(
        [1, 2, 3].map(async () => {
          const found = await claim(1);
          claimed.push(...found);
        }),
      );
      if (claimed.length === before) break;
    }
    expect(claimed.map(({ source, firstDay, lastDay }) => [source, firstDay, lastDay])).toEqual([
      ['gam', '2026-03-01', '2026-03-03'],
      ['gam', '2026-03-05', '2026-03-05'],
      ['prebid', '2026-03-01', '2026-03-01'],
    ]);
  });

  const step = fc.record({
    act: fc.constantFrom('append', 'restate', 'batch', 'person', 'rule', 'killed'),
    days: fc.subarray([...days], { minLength: 1 }),
    state: fc.constantFrom(...dayStates),
    force: fc.boolean(),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** The same in plain words, a day at a time. */
  function createOracle() {
    const known = new Map<string, { state: DayState; by: string | null }>();
    const finals: string[] = [];
    const say = (day: string, state: DayState, by: string): void => {
      const kept = known.get(day) ?? { state: 'open' as DayState, by: null };
      const forward = dayStates.indexOf(state) > dayStates.indexOf(kept.state);
      const isNew = !known.has(day);
      const may = by === 'person' ? kept.state !== state || kept.by === null : isNew || forward;
      if (!may) return;
      if (state === 'final' && kept.state !== 'final') finals.push(day);
      known.set(day, { state, by });
    };
    return {
      finals,
      known,
      apply: ({ act, days: own, state, force }: Step): 'done' | 'refused' => {
        if (act === 'person') for (const day of own) say(day, state, 'person');
        if (act === 'rule')
          for (const [day, kept] of known)
            if (!(kept.state === 'open' && kept.by === 'person')) say(day, 'final', 'rule');
        if (act !== 'append' && act !== 'restate' && act !== 'batch') return 'done';
        const hasFinal = own.some((day) => known.get(day)?.state === 'final');
        if (hasFinal && act !== 'batch' && !force) return 'refused';
        for (const day of own) {
          if (!known.has(day)) known.set(day, { state: 'open', by: null });
          if (state !== 'open' && act !== 'batch') say(day, state, 'import');
        }
        return 'done';
      },
    };
  }

  it('are as a plain model has them, over random imports, words of people, rules and kills', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await test.database.query(
          'TRUNCATE ad_loads, ad_days, ad_final_days, ad_restated, ad_restatements, ad_load_files',
        );
        await noteSourceSettings(test.database, 'gam', { finalAfter: 'never' });
        const oracle = createOracle();
        for (const one of steps) {
          const expected = oracle.apply(one);
          expect(await act(one)).toBe(expected);
        }
        const kept = await test.database.query<{ day: string; state: DayState; by: string | null }>(
          'SELECT day::text AS day, state, said_by AS by FROM ad_days ORDER BY day',
        );
        expect(kept.map(({ day, ...rest }) => [day, rest])).toEqual(
          [...oracle.known].toSorted(([one], [other]) => (one < other ? -1 : 1)),
        );
        const told = await test.database.query<{ day: string }>(
          `SELECT day::date::text AS day FROM ad_final_days, generate_series(first_day, last_day, interval '1 day') AS day`,
        );
        expect(told.map(({ day }) => day).toSorted()).toEqual(oracle.finals.toSorted());
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  /** In the real ledger. */
  async function act({ act: what, days: own, state, force }: Step): Promise<'done' | 'refused'> {
    if (what === 'person') {
      await sayDays(test.database, { source: 'gam', days: own, state, by: 'person' });
    } else if (what === 'rule') {
      await noteSourceSettings(test.database, 'gam', { finalAfter: '1' });
      await applyRules(test.database);
      await noteSourceSettings(test.database, 'gam', { finalAfter: 'never' });
    } else if (what === 'killed') {
      const failing = {
        ...test.database,
        transaction: (work: Parameters<typeof test.database.transaction>[0]) =>
          test.database.transaction(async (sql) => {
            await work(sql);
            throw new Error('killed');
          }),
      } as typeof test.database;
      await expect(
        sayDays(failing, { source: 'gam', days: own, state: 'final', by: 'person' }),
      ).rejects.toThrow('killed');
    } else {
      const says = state === 'open' || what === 'batch' ? null : state;
      return load(own, { kind: what, says, mayChangeFinal: force }).then(
        () => 'done' as const,
        (error: unknown) => {
          if (error instanceof DaysAreFinal) return 'refused' as const;
          throw error;
        },
      );
    }
    return 'done';
  }
});
