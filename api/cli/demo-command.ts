import { type Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../../engine/kit/command-line/endings.ts';

export interface DemoRequest {
  readonly subscribers: number;
  readonly verify: 'all' | number;
  readonly kafkaBrokers: string | null;
  readonly json: boolean;
}

const MAX_SUBSCRIBERS = 10_000_000;

const examples = `
Examples:
  npm run demo
  npm run demo -- --subscribers 5000 --verify all
  npm run demo -- --kafka 127.0.0.1:9092        (a broker: npm run kafka)
  npm run demo -- --json | tail -1`;

/** @param run resolves to the exit code. */
export function addDemoCommand(program: Command, run: (request: DemoRequest) => Promise<number>): void {
  program
    .command('demo')
    .description(
      'Starts everything in a temporary folder, sends one notification to real subscriptions at push services of its own, and compares the counts of Postgres, the push services and ClickHouse.',
    )
    .option('--subscribers <n>', 'number of subscribers', subscribersOf, 100_000)
    .addOption(
      new Option('--verify <which>', 'messages the push services decrypt: all, or one-in-N')
        .argParser(verifyOf)
        .default(50, 'one-in-50'),
    )
    .option(
      '--kafka <brokers>',
      'host:port of Kafka brokers, separated by commas; without it the embedded log',
    )
    .option('--json', 'print one JSON line')
    .addHelpText('after', `\nExits with 1 if the books differ.\n${examples}`)
    .action(async (options) => {
      process.exitCode = await run({
        subscribers: options.subscribers,
        verify: options.verify,
        kafkaBrokers: options.kafka ?? null,
        json: options.json === true,
      });
    });
}

/** Where the bench, and the demo in it, is not shipped. */
export function refuseDemoCommand(program: Command): void {
  program
    .command('demo', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(() => {
      throw new CliError('the demo is not part of this installation: run it from a checkout of the sources');
    });
}

function subscribersOf(text: string): number {
  const count = Number(text.replaceAll('_', ''));
  if (Number.isSafeInteger(count) && count >= 1 && count <= MAX_SUBSCRIBERS) return count;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MAX_SUBSCRIBERS}.`);
}

function verifyOf(text: string): 'all' | number {
  if (text === 'all') return 'all';
  const [, every] = /^one-in-(\d{1,6})$/.exec(text) ?? [];
  if (every !== undefined && Number(every) >= 1) return Number(every);
  throw new InvalidArgumentError('must be all, or one-in-N such as one-in-50.');
}
