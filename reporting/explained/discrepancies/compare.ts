import { findNotes } from '../../../engine/adapters/postgres/explained/notes.ts';
import type { Refused } from '../../generate/prepare.ts';
import { type Asker, type ExplainDeps, moneyMeta, readState, refusing } from '../known.ts';
import { linesOf } from '../lines.ts';
import type { DiscrepancyRequest } from './schema.ts';
import { compileDiscrepancies, reportOf } from './statement.ts';

export interface Compared {
  readonly kind: 'compared';
  /** The answer as JSON, every amount digit by digit. */
  readonly json: string;
}

interface Row {
  readonly day: string;
  readonly stored: string;
}

export type CompareSources = (
  asked: DiscrepancyRequest,
  asker: Asker,
  signal: AbortSignal,
) => Promise<Compared | Refused>;

/** Two sources side by side, with the notes that the asker's organization has on the rows that are shown. */
export const createCompareSources =
  (deps: ExplainDeps): CompareSources =>
  (asked, { access, userId }, signal) =>
    refusing(deps.bounds, 'selectedDate', async () => {
      const request = reportOf(asked);
      const state = await readState(deps, request, access, signal, asked.sources);
      if (state.kind !== 'known') return state;
      const { rows, summary } = compileDiscrepancies(asked, request, state.context);
      const summed = await state.run.line(summary);
      const lines = await linesOf(await state.run.open(rows, 'JSONEachRow'));
      const places = lines.map((line) => JSON.parse(line) as Row);
      const notes = await notesOf(deps, userId, asked.sources, places);
      const data = lines.map((line, at) => {
        const note = JSON.stringify(notes.get(keyOf(places[at])) ?? null);
        return `${withoutStored(line)},"note":${note}}`;
      });
      const { start, end } = state.context.period;
      const { counts, all, totals } = partsOf(summed ?? '');
      const next = (asked.offset ?? 0) + data.length;
      const meta = JSON.stringify({
        count: data.length,
        next_offset: data.length > 0 && next < all ? next : null,
        sources: asked.sources,
        start_date: start,
        end_date: end,
        currency: asked.currency,
        timezone: asked.timezone ?? 'UTC',
        ...moneyMeta(state),
      });
      const json = `{"status":"success","data":[${data.join(',')}],"meta":${meta.slice(0, -1)},${counts},"totals":{${totals}}}}`;
      return { kind: 'compared', json };
    });

const keyOf = (row: Row | undefined): string => `${row?.day} ${row?.stored}`;

/** The text keeps the digits that parsed numbers would lose. */
const withoutStored = (line: string): string => line.replace(/"stored":"(?:[^"\\]|\\.)*",/, '').slice(0, -1);

function partsOf(summed: string): { readonly counts: string; readonly all: number; readonly totals: string } {
  const [, counts = '"compared":0,"total_count":0', all = '0', totals = ''] =
    /^\{("compared":\d+,"total_count":(\d+)),(.*)\}$/.exec(summed) ?? [];
  return { counts, all: Number(all), totals };
}

async function notesOf(
  { sql }: ExplainDeps,
  userId: number,
  sources: readonly [string, string],
  places: readonly Row[],
) {
  if (places.length === 0) return new Map<string, object>();
  const rows = places.map(({ day, stored }) => ({ day, domain: stored }));
  const found = await findNotes(sql, userId, sources, rows);
  return new Map(found.map(({ day, domain, ...note }) => [keyOf({ day, stored: domain }), note]));
}
