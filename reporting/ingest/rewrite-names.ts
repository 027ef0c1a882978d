import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { storedDomain } from '../../engine/contract/domain-names.ts';
import { abandonLoad, activateLoad } from './ad-loads.ts';
import { aloneRewriting, isRewritten, noteRewritten, registerRewrite } from './ad-rewrites.ts';
import type { AdStatsRewrite, DayTotals, Renamed, SourceDay } from './ad-stats-rewrite.ts';

const REWRITING = 'domain-names';
const allDays = { firstDay: '1970-01-01', lastDay: '2149-06-06' };
/** They travel with the statement; a day with more is rewritten more than once. */
const NAMES_AT_ONCE = 200;
/** Of these the first whose source has no load in progress. */
const DAYS_LOOKED_AT = 50;

export interface RewriteNamesDeps {
  readonly database: Database;
  readonly rewrite: AdStatsRewrite;
}

/**
 * Brings statistics of earlier versions to the one form of a domain's name. A step copies the counted rows of one (source,
 * UTC day) into a load of its own, and makes it replace all below it, atomically:
 *
 *   stopped before `registerRewrite`   nothing happened
 *   stopped before `activateLoad`      its load is pending and never counts; the next step abandons it and begins again
 *   stopped after it                   the day is done, and the sweep deletes what was there
 *   two processes at once              one of them does nothing while the other lives
 *
 * @returns a step; how many days it rewrote. 0: there is nothing to do, or a load on its way must end before.
 */
export function createRewriteNames({ database, rewrite }: RewriteNamesDeps): () => Promise<number> {
  let done = false;

  return async () => {
    if (done) return 0;
    done = await isRewritten(database, REWRITING);
    return done ? 0 : ((await aloneRewriting(database, REWRITING, rewriteNext)) ?? 0);
  };

  async function rewriteNext(): Promise<number> {
    const ledger = await readLedger(database, allDays);
    const names = await nextNames(ledger);
    if (names.length === 0) {
      done = await noteRewritten(database, REWRITING);
      return 0;
    }
    const days = await rewrite.daysWith(
      ledger,
      names.map(({ from }) => from),
      DAYS_LOOKED_AT,
    );
    for (const day of days) {
      const content = `${REWRITING} ${day.day}`;
      const load = await registerRewrite(database, { source: day.source, content });
      if (load === null) continue;
      await rewriteDay(day, load, names);
      return 1;
    }
    return 0;
  }

  /** Names that are not in their stored form yet. Texts that are not a domain stay among them, and are skipped. */
  async function nextNames(ledger: Awaited<ReturnType<typeof readLedger>>): Promise<Renamed[]> {
    for (let after = ''; ; ) {
      const found = await rewrite.foreignNames(ledger, after, NAMES_AT_ONCE);
      const names = found
        .map((from) => ({ from, to: storedDomain(from) }))
        .filter(({ from, to }) => from !== to);
      const last = found.at(-1);
      if (names.length > 0 || last === undefined) return names;
      after = last;
    }
  }

  async function rewriteDay(day: SourceDay, load: number, names: readonly Renamed[]): Promise<void> {
    // After the load was registered: from now on nothing below it begins to count.
    const ledger = await readLedger(database, allDays);
    const expected = await rewrite.totals(ledger, day, load);
    await rewrite.copyDay(ledger, day, load, names);
    const copied = await rewrite.copied(load);
    if (!areSame(expected, copied)) {
      await abandonLoad(database, load);
      throw new Error(
        `of ${day.day} of ${day.source} ${copied.rows} of ${expected.rows} rows were rewritten`,
      );
    }
    await activateLoad(database, {
      load,
      rows: copied.rows,
      refused: 0,
      days: [day.day],
      completeUntil: null,
    });
  }
}

const areSame = (one: DayTotals, other: DayTotals): boolean =>
  one.rows === other.rows && one.impressions === other.impressions && one.earnings === other.earnings;
