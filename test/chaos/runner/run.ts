import { runLimited } from './limited.ts';
import { parseChaosOptions } from './options.ts';
import { duplicatesAllowed } from './promises.ts';
import { type RunResult, runOnce } from './run-once.ts';
import { drawSchedule, type Schedule } from './schedule.ts';
import { soak } from './soak.ts';
import { faultTable } from './table.ts';

/**
 * Chaos over real parts: `--seeds N`, `--seed S`, `--log pgboss|kafka|both`, `--json`; `--soak` instead runs
 * deliveries in a loop and looks for what grows, `--limited` one to a push service that limits the app.
 * @returns the exit code: 1 where a promise was broken.
 */
export async function runChaos(args: readonly string[]): Promise<number> {
  const options = parseChaosOptions(args);
  const say = options.json ? () => {} : console.log;
  if (options.soak) return runSoak(options.json, say);
  if (options.limited) return showLimited(options.json, say);
  const results: RunResult[] = [];
  const unplayed: Schedule[] = [];
  for (let seed = options.seed; seed < options.seed + options.seeds; seed++) {
    for (const log of options.logs) {
      const schedule = drawSchedule(seed, log);
      const result = await runSeed(schedule, say).catch((error) => {
        say(`  BROKEN: it could not be played to its end: ${(error as Error).stack}`);
        return null;
      });
      if (result === null) unplayed.push(schedule);
      else results.push(result);
    }
  }
  const broken = [
    ...results.flatMap(({ schedule, broken: sentences }) => (sentences.length > 0 ? [schedule] : [])),
    ...unplayed,
  ];
  if (options.json) console.log(JSON.stringify(results.map(({ output, ...rest }) => rest)));
  say(`\n${faultTable(results)}\n`);
  const runs = results.length + unplayed.length;
  say(`${runs} runs, ${broken.length} with a broken promise, ${unplayed.length} not played to their end`);
  for (const schedule of broken) say(`again: ${replayCommand(schedule)}`);
  return broken.length === 0 ? 0 : 1;
}

/** Four to six minutes. */
const SOAK = { deliveries: 200, subscribers: 2_000 } as const;

async function runSoak(json: boolean, say: (text: string) => void): Promise<number> {
  const result = await soak({ ...SOAK, onStep: say });
  if (json) console.log(JSON.stringify(result));
  for (const [when, holdings] of Object.entries({ tenth: result.before, last: result.after })) {
    const { heapMb, rssMb, handles, timers, sockets, threads } = holdings;
    const memory = `${Math.round(heapMb)} MB of heap, ${Math.round(rssMb)} MB resident`;
    say(
      `after the ${when} delivery: ${memory}, ${handles} handles, ${timers} timers, ${sockets} sockets, ${threads} threads`,
    );
  }
  for (const sentence of result.grown) say(`BROKEN: ${sentence}`);
  return result.grown.length === 0 ? 0 : 1;
}

async function showLimited(json: boolean, say: (text: string) => void): Promise<number> {
  const result = await runLimited(say);
  if (json) console.log(JSON.stringify(result));
  for (const { requests, budget } of result.minutes)
    say(`${requests} requests in a minute, with a budget of ${budget}`);
  say(`${(result.refusedShare * 100).toFixed(1)} % refused, over after ${Math.round(result.seconds)} s`);
  for (const sentence of result.broken) say(`BROKEN: ${sentence}`);
  return result.broken.length === 0 ? 0 : 1;
}

const replayCommand = ({ seed, log }: Schedule): string => `npm run chaos -- --seed ${seed} --log ${log}`;

async function runSeed(schedule: Schedule, say: (text: string) => void): Promise<RunResult> {
  const { seed, log, subscribers, deliveries, cap } = schedule;
  say(
    `\nseed ${seed} over ${log}: ${deliveries.length} deliveries to ${subscribers} subscribers, cap ${cap ?? 'none'}`,
  );
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  const result = await runOnce(schedule, { onStep: (text) => say(`  ${seconds()} s  ${text}`) });
  const { ledger, correction, webhooks } = result.books;
  say(
    `  ${seconds()} s  ${ledger.distinct} served, ${ledger.duplicates} twice ` +
      `(${duplicatesAllowed(schedule, result.books)} allowed), quiet after ${(result.recoveryMs / 1_000).toFixed(1)} s`,
  );
  if (correction !== null)
    say(`  ${seconds()} s  a correction for the ${correction.reached} whom it had reached`);
  say(`  ${seconds()} s  ${webhooks.arrived} webhooks`);
  for (const sentence of result.broken) say(`  BROKEN: ${sentence}`);
  if (result.output !== '') say(result.output);
  return result;
}
