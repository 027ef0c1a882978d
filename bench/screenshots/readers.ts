import { hash, randomUUID } from 'node:crypto';
import type { PushServiceDouble } from '../../test/support/push-service/start.ts';

/** Readers whose browsers run the SDK: they subscribe, carry a tag, and answer notifications with beacons. */
export interface Readers {
  readonly tag: { readonly key: string; readonly value: string };
  subscribe(): Promise<void>;
  /** Sends the beacons of one delivery: these shares of the readers, each stage within the one before. */
  react(shares: { readonly displayed: number; readonly clicked: number }): Promise<void>;
}

export interface ReadersOptions {
  readonly pushService: PushServiceDouble;
  /** `http://127.0.0.1:port`, whose own pages may subscribe to any app while it listens on loopback. */
  readonly apiUrl: string;
  readonly appIdentifier: string;
  /** Subscribers of the double from `first` on. */
  readonly first: number;
  readonly count: number;
  /** One whose last message the double has decrypted. */
  readonly sampled: number;
}

/** Requests in flight at a time. */
const AT_ONCE = 16;
/** Of those who do not click, the share that closes the notification. */
const CLOSED = 0.3;

const userAgents = [
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
] as const;

export function createReaders(options: ReadersOptions): Readers {
  const { pushService, apiUrl, appIdentifier, first, count, sampled } = options;
  const tag = { key: 'edition', value: 'morning' };
  const readers = Array.from({ length: count }, (_, place) => first + place);

  async function call(path: string, reader: number, body: object): Promise<void> {
    const response = await fetch(`${apiUrl}/api/v1/public/${path}`, {
      method: 'POST',
      headers: {
        origin: apiUrl,
        'content-type': 'application/json',
        'x-app-id': appIdentifier,
        'user-agent': userAgents[reader % userAgents.length] ?? '',
      },
      body: JSON.stringify({ userId: `reader-${reader}`, browserSecret: secretOf(reader), ...body }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    await response.body?.cancel();
  }

  return {
    tag,
    subscribe: () =>
      forEach(readers, async (reader) => {
        const { endpoint, p256dh, auth } = pushService.subscriber(reader);
        await call('subscribe', reader, { subscription: { endpoint, keys: { p256dh, auth } } });
        await call('subscription-tags', reader, { tags: [tag] });
      }),
    async react({ displayed, clicked }) {
      const about = await readDelivery(pushService, sampled);
      const shown = readers.filter((reader) => chance(reader, about.delivery, 'shown') < displayed);
      await forEach(shown, async (reader) => {
        const luck = chance(reader, about.delivery, 'clicked') * displayed;
        const more = luck < clicked ? ['clicked'] : luck < clicked + CLOSED * displayed ? ['closed'] : [];
        const events = ['displayed', ...more].map((type) => ({ id: randomUUID(), type }));
        await call('beacon', reader, { ...about, events });
      });
    },
  };
}

/** As the notification says it: browsers send both back. */
async function readDelivery(
  pushService: PushServiceDouble,
  sampled: number,
): Promise<{ readonly delivery: string; readonly proof: string }> {
  const message = await pushService.message(sampled);
  if (message === null) throw new Error(`the push service has read no message of subscriber ${sampled}`);
  const { notification } = JSON.parse(message.plaintext) as {
    notification: { data: { delivery: string; proof: string } };
  };
  const { delivery, proof } = notification.data;
  return { delivery, proof };
}

const secretOf = (reader: number): string =>
  hash('sha256', `secret of reader ${reader}`, 'buffer').toString('base64url');

/** From 0 to 1, the same for the same reader and question. */
const chance = (reader: number, delivery: string, question: string): number =>
  hash('sha256', `${reader} ${delivery} ${question}`, 'buffer').readUInt32BE(0) / 2 ** 32;

async function forEach(items: readonly number[], act: (item: number) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
