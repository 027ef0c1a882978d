import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { dayText } from '../../engine/contract/days.ts';
import type { CurrencyDay, RateTable } from '../../engine/contract/rate-table.ts';
import type { Access } from './access.ts';
import { accessConditions } from './base-rows.ts';
import type { Statement } from './compile.ts';
import { createParameters } from './parameters.ts';
import { askedDays, type ReportPeriod } from './period.ts';

/** Where the figures of a report come from, as far as the token sees rows. */
export interface Provenance {
  /** The newest first, `MAX_LOADS` at most. */
  readonly loads: readonly ProvenLoad[];
  readonly loads_left_out: number;
  /** From a currency to that of the report; `MAX_RATES` at most. */
  readonly rates: readonly {
    readonly day: string;
    readonly currency: string;
    readonly rate: string;
  }[];
  readonly rates_left_out: number;
}

interface ProvenLoad {
  /** For tokens that see everything: to others, the numbers between two of theirs would say how much is imported. */
  readonly load?: number;
  readonly source: string;
  /** `import` of files, `restatement` likewise, or a `batch` of the log. */
  readonly kind: 'import' | 'restatement' | 'batch';
  readonly imported_at: string | null;
  /** UTC days, and how many rows of it the token sees on the days of the report. */
  readonly first_day: string;
  readonly last_day: string;
  readonly rows: number;
  readonly files: readonly {
    readonly sha256: string;
    /** For tokens that see everything. */
    readonly name?: string;
  }[];
}

const MAX_LOADS = 200;
const MAX_RATES = 1_000;
/** Of one load. */
const MAX_FILES = 100;

interface ProvenanceQuestion {
  readonly sql: Sql;
  readonly access: Access;
  readonly ledger: Ledger;
  readonly period: ReportPeriod;
  readonly rates: RateTable;
  readonly used: readonly CurrencyDay[];
  ask(statement: Statement): Promise<string | null>;
}

/** Loads of which the token sees rows on the days of the report, whatever its filters leave out. */
export async function readProvenance(question: ProvenanceQuestion): Promise<Provenance> {
  const { sql, access, rates, used, ask } = question;
  const { loads = [], count = 0 } = JSON.parse((await ask(loadsStatement(question))) ?? '{}') as Found;
  const known = await describeLoads(
    sql,
    loads.map(([load]) => load),
  );
  const converted = used
    .map(({ currency, day }) => ({ day: dayText(day), currency, rate: rates.rate(currency, day) }))
    .toSorted((one, other) => (`${one.day}${one.currency}` < `${other.day}${other.currency}` ? -1 : 1));
  return {
    loads: loads.map(([load, source, first_day, last_day, rows]) => {
      const { kind = 'batch', ended_at = null, files = [] } = known.get(load) ?? {};
      return {
        ...(access === 'unrestricted' ? { load } : {}),
        ...{ source, kind, imported_at: ended_at?.toISOString() ?? null, first_day, last_day, rows },
        files: files.map(({ sha256, name }) => ({
          sha256,
          ...(access === 'unrestricted' && name !== null ? { name } : {}),
        })),
      };
    }),
    loads_left_out: count - loads.length,
    rates: converted.slice(0, MAX_RATES),
    rates_left_out: Math.max(0, converted.length - MAX_RATES),
  };
}

interface Found {
  readonly loads?: readonly (readonly [
    load: number,
    source: string,
    first: string,
    last: string,
    rows: number,
  ])[];
  readonly count?: number;
}

function loadsStatement({ access, ledger, period }: ProvenanceQuestion): Statement {
  const visible = visibleRows(ledger);
  const parameters = createParameters(visible.params);
  const asked = askedDays(period).map(
    ({ firstDay, lastDay }) =>
      `toDate(at) BETWEEN ${parameters.value('Date', firstDay)} AND ${parameters.value('Date', lastDay)}`,
  );
  const conditions = [`(${asked.join(' OR ')})`, visible.text, ...accessConditions({ access, parameters })];
  // One line of JSON, with numbers as numbers whatever the server's settings are.
  return {
    select: `SELECT toUInt32(count()) AS count, arraySlice(arrayReverseSort(groupArray(
        (toFloat64(c_load), c_source, toString(c_first), toString(c_last), toFloat64(c_rows)))), 1, ${MAX_LOADS}) AS loads
      FROM (
        SELECT load AS c_load, toString(source) AS c_source, min(toDate(at)) AS c_first, max(toDate(at)) AS c_last,
          count() AS c_rows
        FROM ad_stats WHERE ${conditions.join(' AND ')} GROUP BY c_load, c_source)`,
    params: parameters.params,
  };
}

interface Described {
  readonly kind: ProvenLoad['kind'];
  readonly ended_at: Date | null;
  readonly files: readonly { readonly sha256: string; readonly name: string | null }[];
}

async function describeLoads(sql: Sql, loads: readonly number[]): Promise<ReadonlyMap<number, Described>> {
  if (loads.length === 0) return new Map();
  const rows = await sql.query<Described & { id: number }>(
    `SELECT id, ended_at,
       CASE kind WHEN 'batch' THEN 'batch' WHEN 'append' THEN 'import' ELSE 'restatement' END AS kind,
       coalesce((SELECT jsonb_agg(jsonb_build_object('sha256', content, 'name', name)) FROM (
         SELECT content, name FROM ad_load_files WHERE load = ad_loads.id ORDER BY name, content LIMIT ${MAX_FILES}
       ) AS own), '[]') AS files
     FROM ad_loads WHERE id = ANY($1)`,
    [loads],
  );
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}
