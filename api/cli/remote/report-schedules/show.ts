import { counted } from '../../../../engine/contract/counted.ts';
import { number } from '../../../../engine/kit/command-line/numbers.ts';
import { tableOf } from '../../table.ts';

/** As the API shows it. */
export interface Schedule {
  readonly id: number;
  readonly saved_name: string;
  readonly cron: string | null;
  readonly timezone: string;
  readonly format: string;
  readonly destination:
    | { readonly kind: 'webhook' | 'bucket'; readonly url: string }
    | { readonly kind: 'email'; readonly addresses: readonly string[] };
  readonly next_at: string | null;
  readonly stopped_why: string | null;
  readonly made_by: string | null;
}

export interface Run {
  readonly id: number;
  readonly state: 'due' | 'reporting' | 'delivering' | 'done' | 'failed';
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly problem: string | null;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')}Z`;

export function whenText({ cron, timezone, next_at }: Schedule): string {
  if (cron === null) return 'when its days are final';
  return `${cron} (${timezone})${next_at === null ? '' : `, next ${minuteOf(next_at)}`}`;
}

function placeText({ destination: to }: Schedule): string {
  if (to.kind !== 'email') return `${to.kind} ${to.url}`;
  const [first = '', ...others] = to.addresses;
  return `e-mail ${first}${others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`}`;
}

/** A table, and below it why schedules stopped. */
export const scheduleLines = (schedules: readonly Schedule[]): string[] => [
  ...tableOf(
    ['ID', 'REPORT', 'WHEN', 'FORMAT', 'TO', 'NEXT', 'OWNER'],
    schedules.map((schedule) => [
      String(schedule.id),
      schedule.saved_name,
      schedule.cron === null ? 'days are final' : `${schedule.cron} (${schedule.timezone})`,
      schedule.format,
      placeText(schedule),
      nextText(schedule),
      schedule.made_by ?? 'a deleted account',
    ]),
  ),
  ...schedules.flatMap(({ id, stopped_why: why }) =>
    why === null ? [] : [`Schedule ${id} stopped: ${why}`],
  ),
];

function nextText({ stopped_why, next_at }: Schedule): string {
  if (stopped_why !== null) return 'stopped';
  return next_at === null ? '' : minuteOf(next_at);
}

/** A table, and below it what went wrong, the newest first. */
export const historyLines = (runs: readonly Run[]): string[] => [
  ...tableOf(
    ['RUN', 'DAYS', 'STATE', 'ROWS', 'SIZE', 'BEGAN', 'TOOK', 'FAILED ATTEMPTS'],
    runs.map((run) => [
      String(run.id),
      daysText(run),
      run.state,
      run.rows === null ? '' : number(run.rows),
      run.bytes === null ? '' : sizeText(run.bytes),
      run.started_at === null ? '' : minuteOf(run.started_at),
      tookText(run),
      String(run.attempts),
    ]),
  ),
  ...runs.flatMap(({ id, problem, next_attempt_at: next }) =>
    problem === null
      ? []
      : [`Run ${id}: ${problem}${next === null ? '' : ` The next attempt is at ${minuteOf(next)}.`}`],
  ),
];

function daysText({ first_day, last_day }: Run): string {
  if (first_day === null || last_day === null) return '';
  return first_day === last_day ? first_day : `${first_day} to ${last_day}`;
}

const units = [
  ['GB', 1_000_000_000],
  ['MB', 1_000_000],
  ['KB', 1_000],
] as const;

function sizeText(bytes: number): string {
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? ['B', 1];
  return `${number(Math.round((10 * bytes) / size) / 10)} ${unit}`;
}

function tookText({ started_at, ended_at }: Run): string {
  if (started_at === null || ended_at === null) return '';
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${number(Math.round(seconds / 3_600))} h`;
}
