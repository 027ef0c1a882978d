import { type Command, Option } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, say } from '../../../engine/kit/command-line/terminal.ts';
import { type EngineDefaults, forecast } from './forecast.ts';
import {
  type EncryptionName,
  encryptionNames,
  type MeasuredCosts,
  readMeasuredCosts,
} from './measured-costs.ts';
import { pushServiceOf, readersOf, secondsOf, wholeFrom } from './options.ts';
import { overviewLines } from './overview.ts';
import { linesOf } from './print.ts';
import type { PushServiceLimit, Question } from './question.ts';

const examples = `
Examples:
  broadside capacity --readers 5M --minutes 5
  broadside capacity --readers 5M --seconds 10 --replicas 2
  broadside capacity --readers 10M --minutes 15 --push-service fcm=80%,20000 --push-service mozilla=10%,5000
  broadside capacity --table`;

interface Options {
  readonly readers?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly encryption: EncryptionName;
  readonly latencyMs: number;
  readonly engineCores: number;
  readonly replicas: number;
  readonly postgresCores: number;
  readonly pushService?: readonly PushServiceLimit[];
  readonly table?: boolean;
  readonly json?: boolean;
}

/** For planning: from what a message of this release was measured to cost. */
export function addCapacityCommand(program: Command, defaults: EngineDefaults): void {
  program
    .command('capacity')
    .description('What a delivery to a number of readers in a given time needs. Needs no running Broadside.')
    .option('--readers <n>', 'readers of the delivery: 5000000, 250k or 5M', readersOf)
    .option('--minutes <n>', 'time until the last message is handed over', wholeFrom(1, 1_440))
    .option('--seconds <n>', 'the same in seconds', wholeFrom(1, 86_400))
    .addOption(
      new Option('--encryption <backend>', 'ENCRYPTION_BACKEND of the engines')
        .choices(encryptionNames)
        .default('openssl'),
    )
    .option('--latency-ms <n>', 'how late push services answer', wholeFrom(1, 60_000), 80)
    .option('--engine-cores <n>', 'cores of a machine with one engine', wholeFrom(1, 256), 4)
    .option('--replicas <n>', 'replicas that targets are read from (DATABASE_READ_URLS)', wholeFrom(0, 16), 0)
    .option('--postgres-cores <n>', 'cores of your largest machine for Postgres', wholeFrom(2, 512), 64)
    .option(
      '--push-service <name=share%,rate>',
      'its share of the readers, and the messages a second that it takes; repeatable',
      pushServiceOf,
    )
    .option('--table', 'the usual sizes as a table in Markdown, instead of one answer')
    .option('--json', 'the answer as JSON')
    .addHelpText('after', examples)
    .action((options: Options) => answer(options, defaults));
}

function answer({ readers, table, json, ...options }: Options, defaults: EngineDefaults): void {
  const costs = readMeasuredCosts();
  const question = questionOf(options, costs);
  if (table === true) {
    if ([readers, options.minutes, options.seconds, json].some((value) => value !== undefined))
      throw new CliError(
        '--table has sizes of its own: leave --readers, --minutes, --seconds and --json out',
      );
    print(overviewLines(costs, question, defaults));
    return;
  }
  if (readers === undefined) throw new CliError('the number of readers is missing: add --readers 5M');
  const found = forecast(costs, { ...question, readers, seconds: secondsOf(options) }, defaults);
  say(json, { ...found, costs }, linesOf(costs, found));
}

function questionOf(
  { encryption, latencyMs, engineCores, replicas, postgresCores, pushService = [] }: Omit<Options, 'readers'>,
  costs: MeasuredCosts,
): Omit<Question, 'readers' | 'seconds'> {
  if (costs.encryption_us[encryption] === null) {
    const others = encryptionNames.filter((name) => costs.encryption_us[name] !== null);
    throw new CliError(`${encryption} was not measured for this release: take ${others.join(' or ')}`);
  }
  return { encryption, latencyMs, engineCores, replicas, postgresCores, pushServices: pushService };
}
