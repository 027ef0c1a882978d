import { median, tenths } from '../median.ts';
import type { Round } from './rounds.ts';

/** The content of a JSON line of `peers`. The median of the rounds, with the minimum and maximum beside it. */
export interface PeerRow {
  readonly sender: string;
  readonly cpu_us_per_message: number;
  readonly cpu_us_min: number;
  readonly cpu_us_max: number;
  readonly messages_per_second: number;
  readonly messages_per_second_min: number;
  readonly messages_per_second_max: number;
  /** In each round. */
  readonly messages: number;
  readonly rounds: number;
  /** `cpu_us_per_message` by that of `web-push/keep-alive` in the same run; null where that was not run. */
  readonly ratio: number | null;
  readonly double_cpu_us_per_message: number;
  /** Of its Postgres; null: it has none, or the machine cannot report it. */
  readonly database_cpu_us_per_message: number | null;
}

/** The sender that all are compared with. */
export const yardstick = 'web-push/keep-alive';

export function peerRows(rounds: ReadonlyMap<string, readonly Round[]>, messages: number): PeerRow[] {
  const measured = [...rounds].filter(([, own]) => own.length > 0);
  const cpuOf = (own: readonly Round[]): number => median(own.map(({ cpuUs }) => cpuUs)) / messages;
  const base = rounds.get(yardstick);
  return measured.map(([sender, own]) => {
    const cpu = own.map(({ cpuUs }) => cpuUs / messages);
    const rates = own.map(({ seconds }) => messages / seconds);
    const database = own.map(({ databaseUs }) => databaseUs).filter((us) => us !== null);
    return {
      sender,
      cpu_us_per_message: tenths(cpuOf(own)),
      cpu_us_min: tenths(Math.min(...cpu)),
      cpu_us_max: tenths(Math.max(...cpu)),
      messages_per_second: Math.round(median(rates)),
      messages_per_second_min: Math.round(Math.min(...rates)),
      messages_per_second_max: Math.round(Math.max(...rates)),
      messages,
      rounds: own.length,
      ratio: base === undefined || base.length === 0 ? null : thousandths(cpuOf(own) / cpuOf(base)),
      double_cpu_us_per_message: tenths(median(own.map(({ doubleUs }) => doubleUs)) / messages),
      database_cpu_us_per_message: database.length === 0 ? null : tenths(median(database) / messages),
    };
  });
}

const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;
