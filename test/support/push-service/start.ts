import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlClient, createControlClient } from './control-client.ts';
import {
  type CompiledOptions,
  compileOptions,
  type PushServiceOptions,
  type PushServiceOrigin,
} from './options.ts';
import { type PushServiceProcess, spawnPushService } from './spawn.ts';
import { createSubscriberFactory, type Subscriber, type SubscriberFactory } from './subscriber.ts';

/**
 * The push services of a test, a demo or a bench, in a process of their own.
 *
 *     const push = await startPushService({ verify: 'all' });
 *     const { endpoint, p256dh, auth } = push.subscriber(7, vapidPublicKey);
 *     … // a sender that trusts push.caFile sends
 *     expect(await push.ledger()).toMatchObject({ distinct: 1, duplicates: 0 });
 *     await push.stop();
 */
export interface PushServiceDouble extends ControlClient {
  readonly origins: readonly PushServiceOrigin[];
  /** PEM to trust: NODE_EXTRA_CA_CERTS, or `ca` of a TLS client. */
  readonly caFile: string;
  /** The same as text. */
  readonly ca: string;
  readonly controlUrl: string;
  /** Of the process running now. */
  readonly pid: number;
  /** Subscription number `index`, from 0; the same one every time. 30 µs each without `keyPairs`. */
  subscriber(index: number, applicationServerKey?: string): Subscriber;
  /** For what `subscriber` does not give: key material in bytes, the origin of an index. */
  readonly subscribers: SubscriberFactory;
  /** Ends the process in the given way and waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends the process where it still runs, and starts another on the same ports, certificate and ledger. */
  restart(): Promise<void>;
  /** Ends the process and removes the directory, unless it was given. Safe to call twice. */
  stop(): Promise<void>;
}

/** @throws Error with what the process said, where it does not come up. */
export async function startPushService(given: PushServiceOptions = {}): Promise<PushServiceDouble> {
  const temporary = given.directory === undefined;
  const directory = given.directory ?? mkdtempSync(join(tmpdir(), 'push-service-'));
  const tidy = () => {
    if (temporary) rmSync(directory, { recursive: true, force: true });
  };
  try {
    const options = compileOptions({ ...given, directory });
    return control(options, await spawnPushService(options, temporary), temporary, tidy);
  } catch (error) {
    tidy();
    throw error;
  }
}

function control(
  options: CompiledOptions,
  first: PushServiceProcess,
  temporary: boolean,
  tidy: () => void,
): PushServiceDouble {
  let child = first;
  const { origins, caFile, controlUrl } = child.ready;
  const pinned = {
    ...options,
    origins: origins.map(({ kind, host, port, share }) => ({ kind, host, port, share })),
    controlPort: Number(new URL(controlUrl).port),
  };
  const subscribers = createSubscriberFactory({ seed: options.seed, origins, keyPairs: options.keyPairs });

  return {
    ...createControlClient(controlUrl),
    origins,
    caFile,
    ca: readFileSync(caFile, 'utf8'),
    controlUrl,
    get pid() {
      return child.ready.pid;
    },
    subscriber: subscribers.subscriber,
    subscribers,
    kill: (signal) => child.end(signal),
    async restart() {
      await child.end('SIGTERM');
      child = await spawnPushService(pinned, temporary);
    },
    async stop() {
      await child.end('SIGTERM');
      tidy();
    },
  };
}
