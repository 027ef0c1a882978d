import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { webhookTypes } from '../../../engine/contract/webhooks.ts';
import { buildEndpoint } from '../../support/webhooks.ts';
import type { Publisher } from './publisher.ts';
import type { World } from './world.ts';

/** A message as it arrived for the first time. */
interface Arrival {
  readonly id: string;
  readonly body: string;
}

interface Content {
  readonly data: {
    readonly delivery_id?: number;
    readonly campaign_id?: number | null;
    readonly status?: string;
    readonly previous_status?: string | null;
  };
}

export interface WebhookBook {
  /** Messages that are still to be sent. */
  readonly waiting: number;
  /** Different ones that arrived. */
  readonly arrived: number;
  /** Sentences. Read when none waits. */
  readonly problems: readonly string[];
}

/** Somebody else's program, which hears of everything and has its own faults. */
export interface WebhookReceiver {
  book(): Promise<WebhookBook>;
  close(): void;
}

/** One request in this number meets a fault of the receiver: an error, a connection that breaks, no answer. */
const FAULT_EVERY = 9;
const secret = Buffer.alloc(32, 7);

export async function startWebhookReceiver(
  { database }: World,
  { app }: Publisher,
): Promise<WebhookReceiver> {
  const arrivals = new Map<string, Arrival>();
  const problems: string[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const number = ++requests;
    const fault = number % FAULT_EVERY === 0 ? (number / FAULT_EVERY) % 3 : null;
    if (fault === 0) return response.writeHead(500).end();
    const id = String(request.headers['webhook-id']);
    const seconds = Number(request.headers['webhook-timestamp']);
    // Not `verify`: the clocks of engines are set forward and back meanwhile.
    const signature = new Webhook(secret, { format: 'raw' }).sign(id, new Date(seconds * 1_000), body);
    if (signature !== request.headers['webhook-signature'])
      problems.push(`webhook ${id} has another signature`);
    const earlier = arrivals.get(id);
    if (earlier === undefined) arrivals.set(id, { id, body });
    else if (earlier.body !== body) problems.push(`webhook ${id} came twice, and says something else`);
    // It was taken, and nobody hears of it.
    if (fault === 1) return request.socket.destroy();
    if (fault !== 2) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const types = webhookTypes.filter((type) => /^(delivery|campaign)\./.test(type));
  const endpointId = await buildEndpoint(database, app.organizationId, { url, secret, types });

  return {
    book: async () => {
      const [row] = await database.query<{ waiting: number; failed: number; enabled: boolean }>(
        `SELECT count(*) FILTER (WHERE state = 'waiting')::int AS waiting,
           count(*) FILTER (WHERE state = 'failed')::int AS failed,
           (SELECT enabled FROM webhook_endpoints WHERE id = $1) AS enabled
         FROM webhook_messages WHERE endpoint_id = $1`,
        [endpointId],
      );
      const { waiting, failed, enabled } = row ?? { waiting: -1, failed: -1, enabled: false };
      const contents = [...arrivals.values()].map(({ body }) => JSON.parse(body) as Content);
      return {
        waiting,
        arrived: arrivals.size,
        problems: [
          ...problems,
          ...(failed === 0 ? [] : [`${failed} webhooks were given up`]),
          ...(enabled ? [] : ['the webhook was disabled']),
          ...(waiting === 0 ? brokenChains(contents, await readStatuses(database, app.id)) : []),
        ],
      };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How every delivery of the app stands. A campaign may go on. */
async function readStatuses(
  database: World['database'],
  appId: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ id: number; status: string }>(
    'SELECT id, status FROM deliveries WHERE app_id = $1',
    [appId],
  );
  return new Map(rows.map(({ id, status }) => [`delivery ${id}`, status]));
}

/**
 * Each message names the status before it, so one that is missing, or came before its time, breaks the chain.
 * @param contents in the order of their first arrival.
 */
function brokenChains(contents: readonly Content[], statuses: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const last = new Map<string, string | null>();
  for (const { data } of contents) {
    const {
      delivery_id: delivery,
      campaign_id: campaign,
      status = '',
      previous_status: previous = null,
    } = data;
    const subject = delivery === undefined ? `campaign ${campaign}` : `delivery ${delivery}`;
    const before = last.get(subject) ?? null;
    if (previous !== before) problems.push(`a webhook of ${subject} follows ${before}, and says ${previous}`);
    last.set(subject, status);
  }
  for (const [subject, status] of statuses) {
    const said = last.get(subject) ?? null;
    if (said !== status) problems.push(`webhooks say that ${subject} is ${said}, and it is ${status}`);
  }
  return problems;
}
