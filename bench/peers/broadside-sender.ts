import type { PushServiceDouble } from '../../test/support/push-service/start.ts';
import { deliver } from '../stand/deliver.ts';
import { startStand } from '../stand/stand.ts';
import { type Backend, refusalOf } from './backends.ts';
import type { Sender, Skipped } from './sender.ts';

export interface BroadsideSenderOptions {
  readonly backend: Backend;
  readonly pushService: PushServiceDouble;
  readonly messages: number;
  readonly onStep: (text: string) => void;
}

/**
 * A whole Broadside in a process of its own. Its figure is that of the whole engine: it reads the subscriptions
 * from Postgres, encrypts, sends, and records every outcome in Postgres and ClickHouse.
 */
export async function startBroadsideSender(options: BroadsideSenderOptions): Promise<Sender | Skipped> {
  const { backend, pushService, messages, onStep } = options;
  const name = `broadside/${backend.name}`;
  const stand = await startStand({
    subscribers: messages,
    verify: 'none',
    pushService,
    kafkaBrokers: null,
    env: backend.env,
    onStep: (text) => onStep(`${name}: ${text}`),
  });
  const refusal = backend.name === 'node' ? null : refusalOf(backend, stand.broadside.output());
  if (refusal !== null) {
    await stand.close();
    return { name, reason: refusal };
  }
  return {
    name,
    async send() {
      const { cpuUsPerMessage, databaseCpuUsPerMessage, seconds, books } = await deliver(stand, () => {});
      const { received } = books.push_service;
      const { accepted } = books.clickhouse;
      return {
        cpuUs: cpuUsPerMessage * received,
        seconds,
        databaseUs: databaseCpuUsPerMessage === null ? null : databaseCpuUsPerMessage * received,
        problem: accepted === messages ? null : `ClickHouse counts ${accepted} accepted of ${messages}`,
      };
    },
    close: () => stand.close(),
  };
}
