import { mkdirSync } from 'node:fs';
import { keepCertificate } from './certificate.ts';
import { compileOptions } from './options.ts';
import { runPushService } from './run.ts';

/**
 * A process that plays push services: `node main.ts '<PushServiceOptions as JSON>'`. Prints one line of
 * JSON (`ReadyLine`) when it listens. Ends on SIGTERM, and when its standard input closes: the one that
 * started it is gone then, and an orphan would keep the ports.
 */
async function main(): Promise<void> {
  const options = compileOptions(JSON.parse(process.argv[2] ?? '{}'));
  mkdirSync(options.directory, { recursive: true });
  const hosts = options.origins.map((origin) => origin.host);
  const service = await runPushService(options, await keepCertificate(options.directory, hosts));

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void service.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  // Ctrl-C reaches the whole terminal; the one that started this decides when it ends.
  process.on('SIGINT', () => {});
  process.stdin.on('end', stop).on('error', stop).resume();
  process.stdout.write(`${JSON.stringify(service.ready)}\n`);
}

await main();
