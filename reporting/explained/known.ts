import {
  type ReportBounds,
  ReportFailed,
  type ReportReader,
  type ReportRun,
} from '../answer/report-reader.ts';
import { type PrepareDeps, type Prepared, prepareReport, type Refused } from '../generate/prepare.ts';
import { refusalOf } from '../generate/refusals.ts';
import type { Access } from '../report/access.ts';
import type { ReportRequest } from '../report/request.ts';

export interface ExplainDeps extends PrepareDeps {
  readonly reader: ReportReader;
  readonly bounds: ReportBounds;
}

/** Who asks: the rows that the token sees, and the person whose organization keeps notes. */
export interface Asker {
  readonly access: Access;
  readonly userId: number;
}

/** What all statements of one answer share, with the run that answers them. */
export interface KnownState extends Pick<Prepared, 'context' | 'money' | 'sourceDays'> {
  readonly kind: 'known';
  readonly run: ReportRun;
}

/** A report with money that these questions are about, as the generate endpoint would read it. */
export async function readState(
  deps: ExplainDeps,
  request: ReportRequest,
  access: Access,
  signal: AbortSignal,
  sources?: readonly string[],
): Promise<KnownState | Refused> {
  const run = deps.reader.begin(signal);
  const more = sources === undefined ? {} : { sources };
  const asked = { access, signal, ask: run.line, withNames: true, more };
  const prepared = await prepareReport(deps, request, asked);
  return prepared.kind === 'prepared' ? { ...prepared, kind: 'known', run } : prepared;
}

/** A question that is too large is refused in words; any other failure is thrown on. */
export async function refusing<Answer>(
  bounds: ReportBounds,
  field: string,
  answer: () => Promise<Answer>,
): Promise<Answer | Refused> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ReportFailed) || refusalOf(error, bounds) === null) throw error;
    return {
      kind: 'refused',
      errors: {
        [field]: [`The ${field} field leads to too many rows, or takes too long: choose fewer days.`],
      },
    };
  }
}

/** Of `meta`, what a reader of its money must know. */
export const moneyMeta = ({ money, sourceDays }: Pick<KnownState, 'money' | 'sourceDays'>) => ({
  old_rates: [...money.oldRates],
  rates: [...money.rates],
  source_days: [...sourceDays],
  left_out: money.leftOut.map(({ currency, rows }) => ({ currency, rows })),
});

/** Numbers whose digits no double would keep, as JSON. In no library of TypeScript yet. */
export interface ExactNumber {
  readonly rawJSON: string;
}
export const { rawJSON } = JSON as unknown as { rawJSON(text: string): ExactNumber };
