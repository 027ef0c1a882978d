import { pause } from '../stand/deliver.ts';
import { type EngineProcess, readPartTimes, type Servers } from './crew.ts';

/** CPU time of each part while nothing is to be done, in µs a second. */
export interface Idle {
  /** Of all engines. */
  readonly engines: number;
  readonly postgres: number;
  readonly log: number;
  readonly clickhouse: number;
}

/** What deliveries before it left to do is done first. */
const SETTLE_MS = 2_000;
const SECONDS = 8;

export async function measureIdle(servers: Servers, crew: readonly EngineProcess[]): Promise<Idle> {
  await pause(SETTLE_MS);
  const before = await readPartTimes(servers, crew);
  await pause(SECONDS * 1_000);
  const after = await readPartTimes(servers, crew);
  const perSecond = (of: (times: typeof before) => number): number => (of(after) - of(before)) / SECONDS;
  return {
    engines: perSecond(({ engines }) => engines.reduce((sum, one) => sum + one, 0)),
    postgres: perSecond((times) => times.postgres),
    log: perSecond((times) => times.log),
    clickhouse: perSecond((times) => times.clickhouse),
  };
}
