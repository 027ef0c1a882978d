import { Command, InvalidArgumentError, Option } from 'commander';
import { apiParts, runApiBench } from './api/main.ts';
import { runSoak } from './encryption/soak.ts';
import { runFlow } from './flow/main.ts';
import { runMicro } from './micro/main.ts';
import { runScheduleBench } from './schedule/main.ts';

const settings = ['auto', 'multibuffer', 'openssl', 'node'] as const;
const encryptionOption = new Option('--encryption <list>', 'backends, separated by commas')
  .argParser((text) => text.split(',').map(encryptionSetting))
  .default(['auto']);
const libraryOption = new Option('--crypto-mb <path>', 'libcrypto_mb, where it is in no usual place').env(
  'CRYPTO_MB_LIBRARY',
);

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
  .addOption(encryptionOption)
  .addOption(libraryOption)
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
      encryption: options.encryption,
      cryptoMbLibrary: options.cryptoMb ?? null,
      profile: options.profile === true,
      json: options.json === true,
    });
  });

program
  .command('micro')
  .description(
    'What is done for each message, one by one: encryption by backend, tokens, decoding, outcomes.',
  )
  .option('--rounds <n>', 'in turns; the median counts', wholeNumber, 7)
  .addOption(libraryOption)
  .option('--json', 'a JSON line for each')
  .option('--out <file>', 'also a page with charts')
  .action(async (options) => {
    process.exitCode = await runMicro({
      rounds: options.rounds,
      cryptoMbLibrary: options.cryptoMb ?? null,
      json: options.json === true,
      out: options.out ?? null,
    });
  });

program
  .command('soak-encryption')
  .description('Encrypts millions of messages on threads that come and go: no crash, no leak, all readable.')
  .addOption(
    new Option('--backend <name>', 'which one')
      .choices(['multibuffer', 'openssl', 'node'])
      .default('openssl'),
  )
  .addOption(libraryOption)
  .option('--messages <n>', 'how many', wholeNumber, 10_000_000)
  .option('--lives <n>', 'threads, one after the other', wholeNumber, 20)
  .option('--json', 'a JSON line')
  .addHelpText('after', '\nExample:\n  npm run bench -- soak-encryption --messages 1000000')
  .action(async (options) => {
    process.exitCode = await runSoak({
      backend: options.backend,
      cryptoMbLibrary: options.cryptoMb ?? null,
      messages: options.messages,
      lives: options.lives,
      json: options.json === true,
    });
  });

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

program
  .command('schedule')
  .description('How late scheduled deliveries are, with several engines running.')
  .option('--engines <n>', 'processes', wholeNumber, 3)
  .option('--deliveries <n>', 'scheduled deliveries', wholeNumber, 60)
  .option('--seconds <n>', 'over which their times are spread', wholeNumber, 20)
  .option('--kafka <brokers>', 'host:port of real Kafka brokers; without it the embedded log')
  .option('--json', 'a JSON line')
  .addHelpText('after', '\nExample:\n  npm run bench -- schedule --engines 3')
  .action(async (options) => {
    process.exitCode = await runScheduleBench({
      engines: options.engines,
      deliveries: options.deliveries,
      seconds: options.seconds,
      kafkaBrokers: options.kafka ?? null,
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

function encryptionSetting(text: string): (typeof settings)[number] {
  const setting = settings.find((each) => each === text);
  if (setting === undefined) throw new InvalidArgumentError(`must be of ${settings.join(', ')}.`);
  return setting;
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}
