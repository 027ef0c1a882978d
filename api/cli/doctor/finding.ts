import { scrubCredentials } from '../../../engine/adapters/telemetry/redact.ts';
import { causesOf } from '../../../engine/contract/causes.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { within } from '../../../engine/contract/concurrency/time-limit.ts';

/** `skipped`: it could not be checked from here, which says nothing of it. */
export type State = 'ok' | 'warning' | 'problem' | 'skipped';

export type Area =
  | 'settings'
  | 'process'
  | 'postgres'
  | 'clickhouse'
  | 'log'
  | 'clock'
  | 'disk'
  | 'encryption'
  | 'push services'
  | 'certificate'
  | 'vapid'
  | 'providers';

export interface Finding {
  readonly area: Area;
  readonly state: State;
  readonly text: string;
  /** What to do; null where nothing needs to be done. */
  readonly mend: string | null;
}

/** What a check found: without its area, which the check has. */
export type Found = Omit<Finding, 'area'>;

export const ok = (text: string): Found => ({ state: 'ok', text, mend: null });
export const warning = (text: string, mend: string): Found => ({ state: 'warning', text, mend });
export const problem = (text: string, mend: string): Found => ({ state: 'problem', text, mend });
export const skipped = (text: string, mend: string | null = null): Found => ({
  state: 'skipped',
  text,
  mend,
});

export interface Check {
  readonly area: Area;
  readonly deadlineMs: number;
  /** What it throws is a problem. */
  readonly run: () => Promise<readonly Found[]>;
}

/** Runs all checks at once. Never rejects, and ends with the longest deadline. */
export async function examine(checks: readonly Check[]): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async (check) => (await run(check)).map((one) => ({ area: check.area, ...one }))),
  );
  return found.flat();
}

async function run({ deadlineMs, run: begin }: Check): Promise<readonly Found[]> {
  try {
    const running = begin();
    if (await within(systemClock, deadlineMs, running)) return await running;
    return [problem(`no answer within ${deadlineMs / 1_000} s`, 'Check the server and the network to it.')];
  } catch (error) {
    return [problem(reasonOf(error), 'Check the server’s log and the settings that lead to it.')];
  }
}

/** The innermost reason that says anything, without the credentials that a driver may have quoted. */
export const reasonOf = (error: unknown): string =>
  scrubCredentials(causesOf(error).findLast(({ message }) => message !== '')?.message ?? String(error));
