import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { Series } from '../../engine/adapters/postgres/explained/mutes.ts';
import { DAY_MS, dayText, knownDay } from '../../engine/contract/days.ts';
import type { Access } from '../report/access.ts';
import { accessConditions } from '../report/base-rows.ts';
import { createParameters, type Parameters, textArray } from '../report/parameters.ts';
import type { ExplainDeps } from './known.ts';

/** For lists of what there is: as long as the longest report. */
const LATELY_DAYS = 92;

interface Question {
  readonly deps: ExplainDeps;
  readonly access: Access;
  readonly signal: AbortSignal;
}

/** Reads one aggregate over the rows that the token sees, of some UTC days. */
async function readSeen<Answer>(
  { deps: { sql, reader }, access, signal }: Question,
  [first, last]: readonly [number, number],
  partsOf: (parameters: Parameters) => { readonly select: string; readonly where: readonly string[] },
): Promise<Answer | null> {
  const ledger = await readLedger(sql, { firstDay: dayText(first), lastDay: dayText(last) });
  const visible = visibleRows(ledger);
  const parameters = createParameters(visible.params);
  const { select, where } = partsOf(parameters);
  const conditions = [
    `toDate(at) BETWEEN ${parameters.value('Date', dayText(first))} AND ${parameters.value('Date', dayText(last))}`,
    visible.text,
    ...accessConditions({ access, parameters }),
    ...where,
  ];
  const line = await reader.begin(signal).line({
    select: `SELECT ${select} AS seen FROM ad_stats WHERE ${conditions.join(' AND ')}`,
    params: parameters.params,
  });
  return line === null ? null : (JSON.parse(line) as { readonly seen: Answer }).seen;
}

const lately = ({ clock }: ExplainDeps): [number, number] => {
  const today = Math.floor(clock.now() / DAY_MS);
  return [today - LATELY_DAYS, today + 1];
};

/** Of which the token sees a row lately; ascending. */
export async function seenSources(question: Question): Promise<string[]> {
  const found = await readSeen<string[]>(question, lately(question.deps), () => ({
    select: 'arraySort(groupUniqArray(10000)(toString(source)))',
    where: [],
  }));
  return found ?? [];
}

/** Whether the token sees a row of either source on that day, in any timezone. */
export async function seesDay(
  question: Question,
  { sources, day, domain }: { sources: readonly string[]; day: string; domain: string },
): Promise<boolean> {
  const at = knownDay(day);
  const found = await readSeen<number>(question, [at - 1, at + 1], (parameters) => ({
    select: 'count() > 0',
    where: [`source IN ${textArray(parameters, sources)}`, `domain = ${parameters.value('String', domain)}`],
  }));
  return found === 1 || (found as unknown) === true;
}

/** Those of which the token sees a row. */
export async function seenSeries<Given extends Series>(
  question: Question,
  series: readonly Given[],
): Promise<Given[]> {
  if (series.length === 0) return [];
  const found = await readSeen<(readonly [string, string, string])[]>(
    question,
    lately(question.deps),
    (parameters) => {
      const listOf = (name: keyof Series): string =>
        textArray(parameters, [...new Set(series.map((one) => one[name]))]);
      return {
        select: 'groupUniqArray((toString(domain), toString(product), toString(country)))',
        where: (['domain', 'product', 'country'] as const).map((name) => `${name} IN ${listOf(name)}`),
      };
    },
  );
  const seen = new Set((found ?? []).map((one) => JSON.stringify(one)));
  return series.filter(({ domain, product, country }) =>
    seen.has(JSON.stringify([domain, product, country])),
  );
}
