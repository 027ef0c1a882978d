import type { Series } from '../../engine/adapters/postgres/explained/mutes.ts';
import { createFindAnomalies, type FindAnomalies } from './anomalies/find.ts';
import { type CompareSources, createCompareSources } from './discrepancies/compare.ts';
import type { Asker, ExplainDeps } from './known.ts';
import { seenSeries, seenSources, seesDay } from './seen.ts';

/** Why figures are what they are. Each answer is about the rows that the asker's token sees. */
export interface Explain {
  readonly compareSources: CompareSources;
  readonly findAnomalies: FindAnomalies;
  sources(asker: Asker, signal: AbortSignal): Promise<string[]>;
  /** Whether a row of either source on that day is seen. */
  sees(
    asker: Asker,
    row: { readonly sources: readonly string[]; readonly day: string; readonly domain: string },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Those that are seen. */
  seen<Given extends Series>(asker: Asker, series: readonly Given[], signal: AbortSignal): Promise<Given[]>;
}

export const createExplain = (deps: ExplainDeps): Explain => ({
  compareSources: createCompareSources(deps),
  findAnomalies: createFindAnomalies(deps),
  sources: ({ access }, signal) => seenSources({ deps, access, signal }),
  sees: ({ access }, row, signal) => seesDay({ deps, access, signal }, row),
  seen: ({ access }, series, signal) => seenSeries({ deps, access, signal }, series),
});
