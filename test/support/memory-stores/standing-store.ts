import {
  type AppService,
  CLEAN_DAYS,
  type Judged,
  type Limited,
  LOOK_BACK_MINUTES,
  MINUTE_MS,
} from '../../../engine/contract/standing.ts';
import type { BudgetStore } from '../../../engine/dispatch/ports.ts';
import type { StandingStore } from '../../../engine/standing/ports.ts';
import type { StandingRow, Tables } from './tables.ts';

const MADE_UP_MS = 250;
const BREAKING_MS = 2_000;
const DAY_MS = 86_400_000;

const isOf =
  ({ appId, service }: AppService) =>
  (row: AppService): boolean =>
    row.appId === appId && row.service === service;
const openOf = (tables: Tables, of: AppService): StandingRow | undefined =>
  tables.standings.all().find((row) => isOf(of)(row) && row.endedAtMs === null);
const keyOf = ({ appId, service, limited }: StandingRow): string =>
  `${appId}/${service}/${limited.limitedSinceMs}`;
const put = (tables: Tables, row: StandingRow): void => tables.standings.put(keyOf(row), row);

/** `engine/adapters/postgres/dispatch/budget-store.ts`. */
export function createMemoryBudgetStore(tables: Tables): BudgetStore {
  return {
    readBudgets: async () =>
      tables.standings
        .all()
        .filter(({ endedAtMs }) => endedAtMs === null)
        .map(({ appId, service, limited: { allowedPerMinute } }) => ({ appId, service, allowedPerMinute })),

    reserve: async (of, lane, targets) => {
      const row = openOf(tables, of);
      if (row === undefined) return { kind: 'unlimited' };
      const nowMs = tables.now();
      if (lane === 'bulk' && row.breakingUntilMs > nowMs)
        return { kind: 'later', waitMs: row.breakingUntilMs - nowMs };
      const atMs = Math.max(row.nextAtMs, nowMs - MADE_UP_MS);
      const nextAtMs = atMs + (60_000 * targets) / row.limited.allowedPerMinute;
      const breakingUntilMs = lane === 'breaking' ? nowMs + BREAKING_MS : row.breakingUntilMs;
      put(tables, { ...row, nextAtMs, breakingUntilMs });
      return { kind: 'reserved', waitMs: atMs - nowMs };
    },

    noteAnswers: async ({ appId, service }, { accepted, throttled }) => {
      const minuteMs = Math.floor(tables.now() / MINUTE_MS) * MINUTE_MS;
      const key = `${appId}/${service}/${minuteMs}`;
      const before = tables.answerMinutes.get(key) ?? { accepted: 0, throttled: 0 };
      tables.answerMinutes.put(key, {
        appId,
        service,
        minuteMs,
        accepted: before.accepted + accepted,
        throttled: before.throttled + throttled,
      });
    },
  };
}

/** `engine/adapters/postgres/standing/standing-store.ts`. */
export function createMemoryStandingStore(tables: Tables): StandingStore {
  const isSame = (one: Limited, other: Limited): boolean =>
    one.allowedPerMinute === other.allowedPerMinute &&
    one.throttledAtMs === other.throttledAtMs &&
    one.growAtMs === other.growAtMs;
  const write = (of: AppService, before: Limited, changed: (row: StandingRow) => StandingRow): boolean => {
    const row = openOf(tables, of);
    if (row === undefined || !isSame(row.limited, before)) return false;
    put(tables, changed(row));
    return true;
  };

  return {
    readJudged: async () => judgedOf(tables),

    begin: async (of, limited) => {
      if (openOf(tables, of) !== undefined) return false;
      const { appId, service } = of;
      put(tables, { appId, service, limited, nextAtMs: 0, breakingUntilMs: 0, endedAtMs: null });
      return true;
    },
    change: async (of, before, now) => write(of, before, (row) => ({ ...row, limited: now })),
    end: async (of, before) => write(of, before, (row) => ({ ...row, endedAtMs: tables.now() })),
  };
}

function judgedOf(tables: Tables): readonly (AppService & Judged)[] {
  const nowMs = tables.now();
  const recent = tables.answerMinutes
    .all()
    .filter(({ minuteMs }) => minuteMs > nowMs - LOOK_BACK_MINUTES * MINUTE_MS);
  const found: AppService[] = [
    ...tables.standings.all().filter(({ endedAtMs }) => endedAtMs === null),
    ...recent.filter(({ throttled }) => throttled > 0),
  ];
  const each = new Map(found.map(({ appId, service }) => [`${appId}/${service}`, { appId, service }]));
  return [...each.values()].map((of) => ({
    ...of,
    nowMs,
    limited: openOf(tables, of)?.limited ?? null,
    earlier: tables.standings
      .all()
      .filter((row) => isOf(of)(row) && (row.endedAtMs ?? 0) > nowMs - CLEAN_DAYS * DAY_MS).length,
    minutes: recent
      .filter(isOf(of))
      .map(({ minuteMs, accepted, throttled }) => ({ minuteMs, accepted, throttled }))
      .sort((a, b) => a.minuteMs - b.minuteMs),
  }));
}
