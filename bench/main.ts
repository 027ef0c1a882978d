import { Command, InvalidArgumentError } from 'commander';
import { runFlow } from './flow/main.ts';

const program = new Command('npm run bench --').description('Measures Broadside on this machine.');

program
  .command('flow')
  .description('The whole engine against the push service double: CPU per message, rate, memory.')
  .option('--subscribers <list>', 'audiences, separated by commas', wholeNumbers, [100_000])
  .option('--rounds <n>', 'counted deliveries to each, after one to warm up', wholeNumber, 3)
  .option('--workers <n>', 'worker threads', wholeNumber)
  .option('--streams <n>', 'HTTP/2 streams per connection', wholeNumber)
  .option('--connections <n>', 'connections per push service and thread', wholeNumber)
  .option('--kafka <brokers>', 'host:port of real Kafka brokers; without it the embedded log')
  .option('--profile', 'also where the time of the worker threads goes, from a CPU profile')
  .option('--json', 'a JSON line per audience')
  .addHelpText('after', '\nExample:\n  npm run bench -- flow --subscribers 100000,400000')
  .action(async (options) => {
    process.exitCode = await runFlow({
      subscribers: options.subscribers,
      rounds: options.rounds,
      workers: options.workers ?? null,
      streams: options.streams ?? null,
      connections: options.connections ?? null,
      kafkaBrokers: options.kafka ?? null,
      profile: options.profile === true,
      json: options.json === true,
    });
  });

await program.parseAsync();

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('must be a whole number from 1.');
  return value;
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}
