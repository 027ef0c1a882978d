import { until } from '../engine-harness.ts';
import type { Newsroom } from './newsroom.ts';

export interface Subscription {
  readonly id: number;
  readonly user_identity: string;
  readonly browser_name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly notifications_sent: number;
  readonly notifications_clicked: number;
}

export interface Delivery {
  readonly id: number;
  readonly status: string;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly click_count: number;
  readonly error_message: string | null;
}

/** The publisher at work, over the client API. */
export interface Publisher {
  subscriptions(): Promise<readonly Subscription[]>;
  delivery(id: number): Promise<Delivery>;
  /** Creates a delivery that leads to `/storm`. */
  send(title: string, changes?: object): Promise<number>;
  /** Creates a delivery and waits until it ended. @throws Error where it failed for any subscriber. */
  sendAndWait(title: string, changes?: object): Promise<Delivery>;
}

export function createPublisher({ client, appId, site }: Newsroom): Publisher {
  const app = `/apps/${appId}`;
  const dataOf = async <Data>(path: string): Promise<Data> => (await client.get<{ data: Data }>(path)).data;
  const delivery = (id: number): Promise<Delivery> => dataOf(`${app}/deliveries/${id}`);
  const send = async (title: string, changes: object = {}): Promise<number> => {
    const body = {
      name: title,
      title,
      body: 'Ferries stop at noon.',
      url: `${site.origin}/storm`,
      ...changes,
    };
    return (await client.post<{ data: { id: number } }>(`${app}/deliveries`, body)).data.id;
  };
  return {
    subscriptions: () => dataOf(`${app}/subscriptions?status=subscribed`),
    delivery,
    send,
    sendAndWait: async (title, changes) => {
      const id = await send(title, changes);
      let ended = await delivery(id);
      await until(`the delivery of “${title}” to end`, async () => {
        ended = await delivery(id);
        return ['success', 'partial', 'failed'].includes(ended.status);
      });
      if (ended.failed_count > 0) throw new Error(`“${title}” failed: ${ended.error_message}`);
      return ended;
    },
  };
}
