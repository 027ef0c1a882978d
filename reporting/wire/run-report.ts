import { isDatabaseAway } from '../../engine/adapters/postgres/database-away.ts';
import { giveBackHit } from '../../engine/adapters/postgres/rate-limit.ts';
import {
  admitReportToken,
  noteReportTokenUse,
  type ReportAdmission,
} from '../../engine/adapters/postgres/report-tokens.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { FairQueue } from '../../engine/contract/concurrency/fair-queue.ts';
import { counted, pluralOf } from '../../engine/contract/counted.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import { hashSecret, type RawToken } from '../../engine/kit/http/token.ts';
import { createValidatorCompiler, InvalidRequest } from '../../engine/kit/http/validation.ts';
import type { HeldAnswers } from '../answer/held-answers.ts';
import { linesOf } from '../answer/pieces.ts';
import { failureOf, ReportFailed } from '../answer/report-reader.ts';
import type { Generated, GenerateReport } from '../generate/generate.ts';
import { withoutRateWords } from '../problems.ts';
import { accessOf } from '../report/access.ts';
import { filterValuesOf } from '../report/filter-values.ts';
import { jobRequest, type ReportRequest } from '../report/request.ts';
import type { Scope } from './evaluate.ts';
import { wordsInSql } from './field-words.ts';
import { outputOf, type ReportRow } from './output.ts';
import type { Plan } from './plan.ts';
import type { Value } from './values.ts';
import { WireError } from './wire-error.ts';

export interface RunDeps {
  readonly sql: Sql;
  readonly generateReport: GenerateReport;
  readonly queue: FairQueue;
  readonly answers: HeldAnswers;
  readonly ratePerMinute: number;
  readonly answerMb: number;
}

export interface WireAnswer {
  /** In batches. */
  readonly rows: AsyncGenerator<readonly (readonly Value[])[]>;
  readonly notices: readonly string[];
}

export interface Asker {
  readonly token: RawToken;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  /** The client reads too slowly, and others need its memory. */
  drop(): void;
}

/** Asked before each report, so that a token that was revoked sees nothing more. @throws WireError where it is refused. */
export async function admitToken(
  sql: Sql,
  { id, secret }: RawToken,
  perMinute: number,
): Promise<ReportAdmission> {
  const rates = { ofToken: perMinute, onPage: perMinute, via: ['report-wire', 'report-wire'] } as const;
  const found = await admitReportToken(sql, { id, secretHash: hashSecret(secret) }, rates);
  if (found === null) throw new WireError('28P01', 'the reporting token is wrong or was revoked');
  if (!found.isWithinRate)
    throw new WireError(
      '53400',
      `more than ${counted(found.most, 'statement')} of this user in a minute`,
      `Try again in ${counted(Math.max(1, Math.ceil(found.waitSeconds)), 'second')}.`,
    );
  if (found.useIsStale) await noteReportTokenUse(sql, found.id);
  return found;
}

const validate = createValidatorCompiler();

/** By the rules of a report over HTTP. @throws WireError with all that is wrong. */
function checkedRequest(request: ReportRequest): void {
  const checked = validate({ schema: jobRequest, method: 'POST', url: '', httpPart: 'body' })(request) as {
    readonly error?: unknown;
  };
  if (checked.error instanceof InvalidRequest) throw refusedAs(checked.error.fieldErrors, '22023');
  if (checked.error !== undefined) throw checked.error;
}

const refusedAs = (errors: FieldErrors, state: string): WireError =>
  new WireError(state, wordsInSql(errors), hintOf(errors));

const hintOf = (errors: FieldErrors): string | null =>
  'timezone' in errors ? "SET report.timezone = '…' or SET report.source_days = on." : null;

/** The report of a plan; its query is over when this resolves, except that of one in parts. @throws WireError where it is refused. */
export async function runReport(plan: Plan, asker: Asker, deps: RunDeps): Promise<WireAnswer> {
  if (plan.request === null) return { rows: emptyRows(plan, asker.scope), notices: plan.notices };
  checkedRequest(plan.request);
  const admission = await admitToken(deps.sql, asker.token, deps.ratePerMinute);
  const permit = await deps.queue.acquire(admission.userId, asker.signal, admission.organizationId);
  if (permit.kind !== 'granted') {
    if (admission.hit !== null) await giveBackHit(deps.sql, admission.hit);
    if (permit.kind === 'gone') throw cancelled();
    throw new WireError(
      '53000',
      'too many reports are being made',
      `Try again in ${counted(permit.retryAfterSeconds, 'second')}.`,
    );
  }
  let whole = Promise.resolve();
  try {
    const made = madeOf(await deps.generateReport(plan.request, accessOf(admission), asker.signal));
    const { userId, organizationId } = admission;
    const held = await deps.answers
      .hold(made, { userId, organizationId, signal: asker.signal, drop: asker.drop })
      .catch((error: unknown) => {
        const failure = failureOf(error, asker.signal);
        const errors = failure instanceof ReportFailed ? made.refusalOf(failure) : null;
        throw errors === null ? failure : refusedAs(errors, '54000');
      });
    if (held === 'large')
      throw new WireError(
        '54000',
        `the answer has more than ${deps.answerMb} MB`,
        'Choose fewer dimensions or days, or make it a job over HTTP.',
      );
    if (held === 'full')
      throw new WireError('53200', 'there is no memory for the answer now', 'Try again shortly.');
    whole = held.whole;
    return {
      rows: rowsOf(plan, made, held.read(), asker.scope),
      notices: [...plan.notices, ...valueNotices(plan.request), ...noticesOf(made)],
    };
  } finally {
    whole.then(permit.release, permit.release);
  }
}

type Made = Extract<Generated, { kind: 'made' }>;

function madeOf(made: Generated): Made {
  if (made.kind === 'refused') throw refusedAs(made.errors, 'timezone' in made.errors ? '22023' : '54000');
  if (made.kind === 'without-rate')
    throw new WireError('58000', withoutRateWords(made.missing.currency, made.missing.day));
  return made;
}

function noticesOf({ leftOut, oldRates }: Made): string[] {
  return [
    ...leftOut.map(
      ({ currency, rows }) =>
        `${counted(rows, 'row')} in ${currency} ${pluralOf(rows, 'is', 'are')} in no figure: there is no exchange rate of that day or a day before it`,
    ),
    ...oldRates.map(({ currency, rate_day: day }) => `the last exchange rate of ${currency} is of ${day}`),
  ];
}

const valueNotices = ({ filter_groups: groups }: ReportRequest): string[] =>
  filterValuesOf(groups).map(({ dimension, value, read_as: code }) =>
    code === null
      ? `${dimension} '${value}' is not a known value: it is compared as it is written`
      : `${dimension} '${value}' is read as '${code}'`,
  );

export const cancelled = (): WireError => new WireError('57014', 'canceling statement due to user request');

async function* emptyRows(plan: Plan, scope: Scope): WireAnswer['rows'] {
  const { shape } = plan;
  const shows = plan.offset === 0 && plan.limit !== 0;
  if (shape.kind === 'count') yield [[0]];
  if (shape.kind === 'totals' && shows) yield [outputOf(shape, [], scope)(null, 0)];
}

async function* rowsOf(
  plan: Plan,
  made: Made,
  bytes: AsyncIterable<Buffer>,
  scope: Scope,
): WireAnswer['rows'] {
  const { shape, limit, offset } = plan;
  if (shape.kind === 'rows') {
    const output = outputOf(shape, made.columns, scope);
    for await (const lines of linesOf(bytes)) {
      const rows = JSON.parse(`[${lines.join(',')}]`) as readonly ReportRow[];
      yield rows.map((row) => output(row, 0));
    }
    return;
  }
  let lines = 0;
  for await (const some of linesOf(bytes)) lines += some.length;
  const { total_count: count, totals = null } = totalsOf(made.metaOf(lines));
  const all = Number(count);
  if (shape.kind === 'count') yield [[Math.max(0, Math.min(all - offset, limit ?? all))]];
  if (shape.kind !== 'totals' || offset !== 0 || limit === 0) return;
  const columns = Object.keys(totals ?? {}).map((name) => ({ name }));
  const row = totals === null || all === 0 ? null : Object.values(totals);
  yield [outputOf(shape, columns, scope)(row, all)];
}

interface Totals {
  readonly total_count: string;
  readonly totals?: Readonly<Record<string, string>>;
}

/** Numbers as texts, so that they keep their digits. */
const totalsOf = (meta: string): Totals =>
  JSON.parse(meta, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  ) as Totals;

/** What a client gets of an error; null: it is a bug, and to be logged. */
export function wireErrorOf(error: unknown, signal: AbortSignal): WireError | null {
  if (error instanceof WireError) return error;
  if (signal.aborted) return cancelled();
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new WireError('54001', 'the statement is nested too deeply');
  if (error instanceof ReportFailed && error.failure === 'cancelled') return cancelled();
  if (error instanceof ReportFailed || isDatabaseAway(error))
    return new WireError('57P03', 'reports are unavailable for the moment', 'Try again shortly.');
  return null;
}
