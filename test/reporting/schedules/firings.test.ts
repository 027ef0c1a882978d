// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DueSchedule } from '../../../engine/adapters/postgres/report-schedules/fire.ts';
import { nextFiring } from '../../../engine/campaigns/rules/firings.ts';
import { dayText, knownDay } from '../../../engine/contract/days.ts';
import { createFired, cronOf } from '../../../reporting/schedules/firings.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
] as const;

interface Times {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[] | null;
}

/** Every instant between these, by Temporal, which the product's code does not use. */
function oracle({ minutes, hours, weekdays }: Times, zone: string, from: number, until: number): number[] {
  const instants = new Set<number>();
  const first = Temporal.Instant.fromEpochMilliseconds(from - DAY)
    .toZonedDateTimeISO('UTC')
    .toPlainDate();
  for (let day = 0; day * DAY <= until - from + 3 * DAY; day++) {
    const date = first.add({ days: day });
    if (weekdays !== null && !weekdays.includes(date.dayOfWeek % 7)) continue;
    for (const hour of hours) for (const minute of minutes) instants.add(instantAt(date, hour, minute, zone));
  }
  return [...instants].filter((at) => at > from && at <= until).toSorted((one, other) => one - other);
}

function instantAt(date: Temporal.PlainDate, hour: number, minute: number, zone: string): number {
  const time = date.toPlainDateTime({ hour, minute });
  const zoned = time.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(time)) return zoned.epochMilliseconds;
  // Clocks skip it: behind the gap.
  return zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.NaN;
}

const someOf = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1, maxLength: 4 });
const times: fc.Arbitrary<Times> = fc.record({
  minutes: someOf([0, 15, 30, 45]),
  hours: someOf([0, 1, 2, 3, 4, 12, 23]),
  weekdays: fc.option(someOf([0, 1, 2, 3, 4, 5, 6])),
});
const textOf = ({ minutes, hours, weekdays }: Times): string =>
  `${minutes.join(',')} ${hours.join(',')} * * ${weekdays?.join(',') ?? '*'}`;

const scope = { domains: [], wholesalers: [], unrestricted: true };
const scheduleOf = (more: Partial<DueSchedule>): DueSchedule => ({
  ...{ id: 1, cron: null, zone: 'UTC', period: 'yesterday', request: {}, scope },
  ...{ tokenId: 1, userId: 1, nextAt: new Date(0), createdAt: new Date(0) },
  ...more,
});
const noKeys = async (): Promise<ReadonlySet<string>> => new Set();

describe('firings of a schedule by cron', () => {
  it('are the times of its zone, each once over changes of clocks; after an outage the latest alone', async () => {
    const nothingFinal = async (): Promise<ReadonlySet<number>> => new Set();
    const property = fc.asyncProperty(
      times,
      fc.constantFrom(...zones),
      fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2027-12-31') }),
      fc.array(fc.integer({ min: 60_000, max: 40 * HOUR }), { minLength: 3, maxLength: 12 }),
      async (given, zone, start, pauses) => {
        const cron = textOf(given);
        let now = start;
        let nextAt = nextFiring(cronOf(cron, zone), new Date(start));
        const fired = createFired(() => now, nothingFinal);
        for (const pause of pauses) {
          const since = now;
          now += pause;
          const expected = oracle(given, zone, since, now).at(-1);
          if (nextAt === null || nextAt.getTime() > now) {
            expect(expected).toBe(undefined);
            continue;
          }
          const made = await fired(scheduleOf({ cron, zone, nextAt }), noKeys);
          expect(made.firings.map(({ key }) => key)).toEqual([
            new Date(expected ?? Number.NaN).toISOString(),
          ]);
          nextAt = made.nextAt;
        }
      },
    );
    await fc.assert(property, { numRuns: Number(process.env.ORACLE_RUNS ?? 60) });
  });

  it('count the days of a period from their own time, however late they are', async () => {
    const fired = createFired(
      () => Date.parse('2026-03-05T09:00:00Z'),
      async () => new Set(),
    );
    const nextAt = new Date('2026-03-02T23:30:00Z');
    const late = scheduleOf({
      cron: '30 0 3 * *',
      zone: 'Europe/Berlin',
      nextAt,
      request: { timezone: 'Europe/Berlin' },
    });
    expect(await fired(late, noKeys)).toMatchObject({
      firings: [{ key: '2026-03-02T23:30:00.000Z', today: '2026-03-03' }],
      nextAt: new Date('2026-04-02T22:30:00Z'),
    });
  });
});

describe('firings of a schedule for final days', () => {
  const created = Date.parse('2026-03-01T12:00:00Z');
  const play = (period: DueSchedule['period'], request: object = {}) => {
    const final = new Set<number>();
    const keys = new Set<string>();
    let questions = 0;
    return {
      final: (first: string, last = first) => {
        for (let day = knownDay(first); day <= knownDay(last); day++) final.add(day);
      },
      questions: () => questions,
      lookAt: async (now: string): Promise<string[]> => {
        const fired = createFired(
          () => Date.parse(now),
          async () => {
            questions++;
            return final;
          },
        );
        const { firings } = await fired(
          scheduleOf({ period, request, createdAt: new Date(created) }),
          async () => keys,
        );
        for (const { key } of firings) keys.add(key);
        return firings.map(({ key, today }) => `${today}: ${key}`);
      },
    };
  };

  it('come once for the days of each period, in whatever order they become final', async () => {
    const days = play('yesterday');
    expect(await days.lookAt('2026-03-01T13:00:00Z')).toEqual([]);
    days.final('2026-03-02');
    expect(await days.lookAt('2026-03-03T01:00:00Z')).toEqual(['2026-03-03: 2026-03-02/2026-03-02']);
    days.final('2026-02-28');
    expect(await days.lookAt('2026-03-04T01:00:00Z')).toEqual(['2026-03-01: 2026-02-28/2026-02-28']);
    expect(await days.lookAt('2026-03-04T02:00:00Z')).toEqual([]);
    days.final('2026-03-01');
    days.final('2026-03-03');
    expect(await days.lookAt('2026-03-04T03:00:00Z')).toEqual([
      '2026-03-02: 2026-03-01/2026-03-01',
      '2026-03-04: 2026-03-03/2026-03-03',
    ]);
  });

  it('wait for every day of the period, and for its end', async () => {
    const days = play('last_week');
    days.final('2026-02-16', '2026-02-21');
    expect(await days.lookAt('2026-03-01T13:00:00Z')).toEqual([]);
    days.final('2026-02-22');
    expect(await days.lookAt('2026-03-01T14:00:00Z')).toEqual(['2026-03-01: 2026-02-16/2026-02-22']);
    const fixed = play(null, { selectedDate: ['2026-03-01', '2026-03-02'] });
    fixed.final('2026-03-01', '2026-03-02');
    expect(await fixed.lookAt('2026-03-02T23:59:00Z')).toEqual([]);
    expect(await fixed.lookAt('2026-03-03T00:00:00Z')).toEqual(['2026-03-01: 2026-03-01/2026-03-02']);
    expect(await fixed.lookAt('2026-03-10T00:00:00Z')).toEqual([]);
    expect(fixed.questions()).toBe(1);
  });

  it('leave out days from before the schedule, and those that become final after 35 days', async () => {
    const days = play('yesterday');
    days.final('2026-02-01', '2026-02-27');
    expect(await days.lookAt('2026-03-02T01:00:00Z')).toEqual([]);
    days.final('2026-02-28', '2026-03-31');
    const late = dayText(knownDay('2026-03-01') + 40);
    expect((await days.lookAt(`${late}T01:00:00Z`))[0]).toBe('2026-03-06: 2026-03-05/2026-03-05');
  });
});
