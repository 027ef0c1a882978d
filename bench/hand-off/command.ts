import { type Command, Option } from 'commander';
import { outputOf, wholeNumber, wholeNumbers, withOutput } from '../command-options.ts';
import { logs } from '../stand/broker.ts';

export function addHandOffCommand(program: Command): void {
  const command = program
    .command('hand-off')
    .description(
      'When the first and the last reader of breaking news are reached, alone and beside a bulk delivery.',
    )
    .option(
      '--subscribers <list>',
      'of the breaking deliveries, separated by commas',
      wholeNumbers,
      [1_000, 100_000],
    )
    .option(
      '--beside <n>',
      'subscribers of a bulk delivery that runs meanwhile; without it, alone only',
      wholeNumber,
    )
    .option('--rounds <n>', 'of each, in turns', wholeNumber, 3)
    .addOption(new Option('--log <log>', 'what carries the stages’ messages').choices(logs).default('pgboss'))
    .option('--kafka <brokers>', 'host:port of Kafka brokers that run already')
    .addHelpText('after', '\nExample:\n  npm run bench -- hand-off --subscribers 100000 --beside 1000000');
  withOutput(command).action(async (options) => {
    const { runHandOff } = await import('./main.ts');
    const { subscribers, beside = null, rounds, log, kafka = null } = options;
    process.exitCode = await runHandOff({ subscribers, beside, rounds, log, kafka }, outputOf(options));
  });
}
