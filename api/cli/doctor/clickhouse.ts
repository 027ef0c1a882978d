import { clickHouseErrorCode } from '../../../engine/adapters/clickhouse/errors.ts';
import type { ClickHouseState } from '../../../engine/adapters/clickhouse/schema-state.ts';
import { type Found, ok, problem, reasonOf } from './finding.ts';
import { newerFound, pendingFound } from './postgres.ts';

export function judgeClickHouse(state: ClickHouseState, where: string): Found[] {
  return [ok(`ClickHouse ${state.version} answers${where}`), judgeTables(state), ...judgeZones(state)];
}

/** Reports are right with any: they give ClickHouse moments, and no timezone's name. Own queries may be wrong. */
function judgeZones({ zones = null }: ClickHouseState, own = process.versions.tz): Found[] {
  if (zones === null || own === undefined || zones >= own) return [];
  return [
    ok(
      `its timezones are of ${zones}, older than Broadside's (${own}): reports use Broadside's, and queries of your own that ` +
        'name a timezone may be wrong for recent days',
    ),
  ];
}

function judgeTables({ newer, missingTables, pending }: ClickHouseState): Found {
  if (newer.length > 0) return newerFound('ClickHouse', newer);
  if (missingTables.length > 0) {
    const mend = 'Restore them from a backup: a migration that was run is not run again.';
    return problem(`tables are missing: ${missingTables.join(', ')}`, mend);
  }
  if (pending.length > 0) return pendingFound(pending);
  return ok('every table is there, and up to date');
}

export function clickHouseAway(error: unknown): Found {
  const code = clickHouseErrorCode(error);
  return problem(`no answer: ${reasonOf(error).split('\n')[0]}`, (code && mends[code]) || away);
}

const away = 'Check whether the server runs, and check CLICKHOUSE_URL. Sending continues without it.';
/** UNKNOWN_DATABASE, UNKNOWN_USER, WRONG_PASSWORD, AUTHENTICATION_FAILED. */
const mends: Readonly<Record<number, string>> = {
  81: 'Start a role: it makes the database. Or correct CLICKHOUSE_DATABASE.',
  192: 'Correct CLICKHOUSE_USER.',
  193: 'Correct CLICKHOUSE_PASSWORD.',
  516: 'Correct CLICKHOUSE_USER or CLICKHOUSE_PASSWORD.',
};
