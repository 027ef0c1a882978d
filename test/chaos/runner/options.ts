import { Command, InvalidArgumentError, Option } from 'commander';
import { type LogName, logs } from './log-name.ts';

export interface ChaosOptions {
  readonly soak: boolean;
  readonly limited: boolean;
  /** The first one; each further run takes the next. */
  readonly seed: number;
  readonly seeds: number;
  readonly logs: readonly LogName[];
  readonly json: boolean;
}

/** `--help` is answered here, and a nonsensical option is refused in one line; both end the process. */
export function parseChaosOptions(args: readonly string[]): ChaosOptions {
  const { log, ...options } = chaosCommand()
    .parse(args, { from: 'user' })
    .opts<Omit<ChaosOptions, 'logs'> & { readonly log: LogName | 'both' }>();
  return { ...options, logs: log === 'both' ? logs : [log] };
}

const chaosCommand = (): Command =>
  new Command('npm run chaos --')
    .description(
      'Real processes, Kafka, Postgres and ClickHouse through seeded faults; then the books are read.',
    )
    .addOption(new Option('--log <name>', 'which log').choices([...logs, 'both']).default('both'))
    .option('--seed <n>', 'the first seed', whole(0), 1)
    .option('--seeds <n>', 'how many, one after the other', whole(1), 1)
    .option('--soak', 'at least 200 deliveries of 2,000 in a loop, for memory and handles', false)
    .option('--limited', 'three engines, one killed, at a push service that takes 1,000 a minute', false)
    .option('--json', 'JSON lines instead of tables', false)
    .addHelpText(
      'after',
      '\nnpm run chaos -- --simulate N plays N seeds on a virtual clock instead: thousands a minute.',
    );

const whole =
  (least: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`Not a whole number from ${least} on.`);
  };
