import { mkdirSync, rmSync } from 'node:fs';
import { keepCertificate } from './certificate.ts';
import { compileOptions } from './options.ts';
import { runPushService } from './run.ts';

/**
 * A process that plays push services: `node main.ts '<PushServiceOptions as JSON>' [temporary]`. Prints one
 * line of JSON (`ReadyLine`) when it listens. Ends on SIGTERM, and when its standard input closes: the one
 * that started it is gone then, and an orphan would keep the ports. `temporary`: nobody is left to remove
 * the directory then either, so it does that too.
 */
async function main(given = '{}', temporary?: string): Promise<void> {
  const options = compileOptions(JSON.parse(given));
  mkdirSync(options.directory, { recursive: true });
  const hosts = options.origins.map((origin) => origin.host);
  const service = await runPushService(options, await keepCertificate(options.directory, hosts));

  let closing: Promise<void> | null = null;
  async function stop(orphaned: boolean): Promise<void> {
    closing ??= service.close();
    await closing;
    if (orphaned && temporary !== undefined) rmSync(options.directory, { recursive: true, force: true });
    process.exit(0);
  }
  process.once('SIGTERM', () => void stop(false));
  // Ctrl-C reaches the whole terminal: the one that started this decides when it ends.
  if (!process.stdin.isTTY) process.on('SIGINT', () => {});
  const onOrphaned = () => void stop(true);
  process.stdin.on('end', onOrphaned).on('error', onOrphaned).resume();
  process.stdout.write(`${JSON.stringify(service.ready)}\n`);
}

await main(...process.argv.slice(2));
