import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { createPerson, type Person } from '../../api/account/support.ts';
import { appBody, callAs } from '../../api/support.ts';
import { type EngineCrew, startEngineCrew } from '../../support/engine-crew.ts';
import { type PushServiceDouble, startPushService } from '../../support/push-service/start.ts';
import { insertBrowsers } from '../../support/real-sender.ts';
import { appIdOf } from '../../support/subscriptions.ts';
import { openStand, openTabOf, type Stand, type Tab } from './stand.ts';

/** A publisher with readers, a whole engine, and push services that count their messages. */
export interface Newsroom {
  readonly stand: Stand;
  readonly tab: Tab;
  /** Whose tab it is. */
  readonly person: Person;
  readonly app: string;
  readonly pushService: PushServiceDouble;
  /** What the database has of a delivery. */
  read(id: number): Promise<StoredCounts>;
  /** Parts of a delivery that are being sent, or about to be. */
  shardsInHand(id: number): Promise<number>;
  /** The delivery whose page is open. */
  shownDelivery(): number;
  close(): Promise<void>;
}

export interface StoredCounts {
  readonly id: DeliveryId;
  readonly status: string;
  readonly scheduled_at: Date | null;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
}

/** A paced delivery goes block by block: a step for each block. */
export const BLOCKS = 4;
export const READERS_A_BLOCK = 30;
export const READERS = BLOCKS * READERS_A_BLOCK;

export async function openNewsroom(executable: string): Promise<Newsroom> {
  const stand = await openStand(executable);
  const { app: server, database, databaseUrl } = stand.api;
  const pushService = await startPushService({ verify: 'all' });
  const person = await createPerson(database, { role: 'member' });
  const made = await callAs(server, person)('POST', '/apps', appBody());
  const app = String(made.json().data.identifier);
  await fillBlocks(stand, app, pushService);
  const crew: EngineCrew = await startEngineCrew({
    ...{ databaseUrl, engines: 1, caFile: pushService.caFile },
  });
  const tab = await openTabOf(stand, person);
  return {
    ...{ stand, tab, person, app, pushService },
    shownDelivery: () => Number(/\/deliveries\/(\d+)$/.exec(new URL(tab.page.url()).pathname)?.[1]),
    read: async (id) => {
      const [row] = await database.query<StoredCounts>('SELECT * FROM deliveries WHERE id = $1', [id]);
      if (row === undefined) throw new Error(`there is no delivery ${id}`);
      return row;
    },
    shardsInHand: async (id) => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int FROM shards WHERE delivery_id = $1 AND state NOT IN ('settled', 'stopped')`,
        [id],
      );
      return row?.count ?? 0;
    },
    close: async () => {
      await crew.close();
      await pushService.stop();
      await stand.close();
    },
  };
}

async function fillBlocks({ api }: Stand, app: string, pushService: PushServiceDouble): Promise<void> {
  const id = await appIdOf(api.database, app);
  const [row] = await api.database.query<{ key: string }>(
    'SELECT vapid_public_key AS key FROM apps WHERE id = $1',
    [id],
  );
  for (let block = 0; block < BLOCKS; block++) {
    const browsers = Array.from({ length: READERS_A_BLOCK }, (_, index) =>
      pushService.subscriber(block * READERS_A_BLOCK + index, row?.key),
    );
    await api.database.query('UPDATE apps SET next_seq = $2 WHERE id = $1', [id, block * 1_024]);
    await insertBrowsers(api.database, id, 1, browsers);
  }
}
