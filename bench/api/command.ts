import { type Command, Option } from 'commander';
import { wholeNumber } from '../command-options.ts';
import { apiParts, runApiBench } from './main.ts';

export function addApiCommand(program: Command): void {
  program
    .command('api')
    .description('The API over HTTP: every list at a million subscriptions, and browsers that subscribe.')
    .addOption(new Option('--part <part>', 'only this one').choices(apiParts))
    .option('--subscribers <n>', 'subscriptions of the one app', wholeNumber, 1_000_000)
    .option('--deliveries <n>', 'its deliveries', wholeNumber, 100_000)
    .option('--rounds <n>', 'counted requests for each page, after one to warm up', wholeNumber, 5)
    .option('--rate <n>', 'subscribes a second', wholeNumber, 1_000)
    .option('--seconds <n>', 'how long', wholeNumber, 10)
    .option('--processes <n>', 'API processes that are subscribed at', wholeNumber, 2)
    .option('--json', 'JSON lines')
    .addHelpText('after', '\nExample:\n  npm run bench -- api --part lists --subscribers 100000')
    .action(async (options) => {
      process.exitCode = await runApiBench({
        parts: options.part === undefined ? apiParts : [options.part],
        subscribers: options.subscribers,
        deliveries: options.deliveries,
        rounds: options.rounds,
        ratePerSecond: options.rate,
        seconds: options.seconds,
        processes: options.processes,
        json: options.json === true,
      });
    });
}
