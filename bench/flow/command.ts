import { type Command, Option } from 'commander';
import { outputOf, wholeNumber, wholeNumberOrZero, wholeNumbers, withOutput } from '../command-options.ts';
import { encryptionOption, libraryOption } from '../encryption/options.ts';
import { logs } from '../stand/broker.ts';
import { transportsOf } from './options.ts';
import { textKindsOf } from './texts.ts';

export function addFlowCommand(program: Command): void {
  const command = program
    .command('flow')
    .description('The whole engine against the push service double: CPU per message by part, rate, memory.')
    .option('--subscribers <list>', 'audiences, separated by commas', wholeNumbers, [100_000])
    .option('--rounds <n>', 'counted deliveries to each, after one to warm up', wholeNumber, 3)
    .option('--workers <n>', 'worker threads', wholeNumber)
    .option('--streams <n>', 'HTTP/2 streams per connection', wholeNumber)
    .option('--connections <n>', 'connections per push service and thread', wholeNumber)
    .option('--latency-ms <n>', 'how late the push services answer', wholeNumberOrZero, 0)
    .addOption(
      new Option('--log <log>', 'kafka starts a broker by itself (Java)').choices(logs).default('pgboss'),
    )
    .option('--kafka <brokers>', 'host:port of Kafka brokers that run already')
    .addOption(encryptionOption())
    .addOption(libraryOption())
    .addOption(
      new Option('--transport <transport>', 'what carries the messages (PUSH_TRANSPORT)')
        .choices(['own', 'undici', 'both'])
        .default('own'),
    )
    .option('--texts <list>', 'what the messages say: plain, languages, personal', textKindsOf, ['plain'])
    .option('--no-profile', 'without the last delivery, of which a CPU profile is taken')
    .addHelpText('after', '\nExample:\n  npm run bench -- flow --subscribers 100000,400000 --out flow.html');
  withOutput(command).action(async (options) => {
    const { runFlow } = await import('./main.ts');
    process.exitCode = await runFlow({
      subscribers: options.subscribers,
      rounds: options.rounds,
      workers: options.workers ?? null,
      streams: options.streams ?? null,
      connections: options.connections ?? null,
      latencyMs: options.latencyMs,
      log: options.log,
      kafkaBrokers: options.kafka ?? null,
      profile: options.profile,
      transports: transportsOf(options.transport),
      encryption: options.encryption,
      texts: options.texts,
      cryptoMbLibrary: options.cryptoMb ?? null,
      output: outputOf(options),
    });
  });
}
