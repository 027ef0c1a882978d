import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSay } from '../command-options.ts';
import { median, tenths } from '../median.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { timeHelp } from './help-time.ts';
import { measureIdleUp } from './idle.ts';
import { npmStart } from './npm-start.ts';
import { type StartRow, startReport } from './report.ts';

export interface StartOptions {
  readonly rounds: number;
  readonly idleSeconds: number;
  readonly output: Output;
}

/** @returns the exit code. It is 0 where an aim is missed, too: a busy machine misses all of them. */
export async function runStart({ rounds, idleSeconds, output }: StartOptions): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const say = createSay(output);
  const folder = await mkdtemp(join(tmpdir(), 'broadside-start-'));
  // The embedded Postgres runs as another user where we are root, and must be able to reach its files.
  await chmod(folder, 0o755);
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const dataFolder = join(folder, 'data');
  say('the first start, in an empty folder');
  const first = await npmStart(dataFolder);
  await first.stop();
  const starts: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`start ${round} of ${rounds}`);
    const started = await npmStart(dataFolder);
    starts.push(started.ms);
    await started.stop();
  }
  const helps = [];
  for (let round = 1; round <= rounds; round++) helps.push(await timeHelp());
  say(`idle for ${idleSeconds} s`);
  const up = await npmStart(dataFolder);
  const idle = await measureIdleUp(up.pid, dataFolder, idleSeconds).finally(() => up.stop());
  const rows: StartRow[] = [
    {
      what: 'the first npm start, in an empty folder',
      unit: 's',
      value: tenths(first.ms / 1_000),
      aim: null,
    },
    { what: 'npm start', unit: 's', value: tenths(median(starts) / 1_000), aim: 2.5 },
    { what: 'idle, CPU', unit: '% of a core', value: tenths(idle.cpuPercent), aim: 1 },
    {
      what: 'idle, CPU of its Postgres',
      unit: '% of a core',
      value: tenths(idle.postgresPercent),
      aim: null,
    },
    { what: 'idle, memory', unit: 'MB', value: Math.round(idle.memoryMb), aim: 450 },
    { what: 'broadside --help', unit: 'ms', value: Math.round(median(helps.map(({ ms }) => ms))), aim: 250 },
    {
      what: 'broadside --help, CPU',
      unit: 'ms',
      value: Math.round(median(helps.map(({ cpuMs }) => cpuMs))),
      aim: null,
    },
  ];
  await showReport(startReport(rows), output);
  return 0;
}
