import { createSay } from '../command-options.ts';
import { startServers } from '../crew/crew.ts';
import { makeApp } from '../crew/readers.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { type Measured, measureEngines } from './measure.ts';
import { enginesReport } from './report.ts';

export interface EnginesOptions {
  readonly engines: readonly number[];
  /** Of each of the two apps. */
  readonly subscribers: number;
  readonly rounds: number;
  readonly output: Output;
}

/** More would want more connections than the embedded Postgres has, and more memory than most machines. */
const MOST_ENGINES = 16;
const MOST_SUBSCRIBERS = 1_000_000;

/** @returns the exit code. @throws Error where the books of a delivery differ, or where it was interrupted. */
export async function runEngines({ engines, subscribers, rounds, output }: EnginesOptions): Promise<number> {
  if (engines.some((count) => count > MOST_ENGINES))
    throw new Error(`--engines takes numbers up to ${MOST_ENGINES}`);
  if (subscribers > MOST_SUBSCRIBERS)
    throw new Error(`--subscribers takes a number up to ${MOST_SUBSCRIBERS.toLocaleString('en')}`);
  await using opened = new AsyncDisposableStack();
  const say = createSay(output);
  say('starting Postgres, ClickHouse and Kafka');
  const servers = await startServers(opened);
  const apps = [];
  for (const name of ['first', 'second']) {
    const told = (made: number) => say(`${made.toLocaleString('en')} readers of the ${name} app`);
    apps.push(await makeApp(servers.database, subscribers, told));
  }
  await servers.database.query('ANALYZE');
  const measured: Measured[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const count of engines)
      measured.push(await measureEngines(count, { servers, apps, readers: subscribers, say }));
  }
  await showReport(enginesReport(measured), output);
  return 0;
}
