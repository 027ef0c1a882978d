import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createWebhookStore } from '../../engine/adapters/postgres/outgoing/webhook-store.ts';
import {
  endpointContext,
  type WebhookAnswer,
  type WebhookType,
  webhookTypes,
} from '../../engine/contract/webhooks.ts';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';
import { createSendMessage } from '../../engine/outgoing/webhooks/send-message.ts';
import { createMessageStep } from '../../engine/outgoing/webhooks/send-step.ts';
import { testSealer } from './builders.ts';
import { loopbackAllowed } from './images.ts';

interface EndpointGiven {
  readonly url?: string;
  readonly secret?: Uint8Array;
  readonly types?: readonly WebhookType[];
}

/** An endpoint that wants everything. */
export async function buildEndpoint(
  database: Database,
  organizationId: number,
  { url = 'https://hook.example/', secret = Buffer.alloc(32, 5), types = webhookTypes }: EndpointGiven = {},
): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO webhook_endpoints (organization_id, url, types) VALUES ($1, $2, $3) RETURNING id`,
    [organizationId, url, types],
  );
  const id = row?.id ?? 0;
  await database.query(`UPDATE webhook_endpoints SET secret_sealed = $2 WHERE id = $1`, [
    id,
    testSealer.seal(secret, endpointContext(id)),
  ]);
  return id;
}

export interface MessageGiven {
  readonly subject?: string;
  readonly type?: string;
  readonly data?: object;
}

export async function buildMessage(
  database: Database,
  endpointId: number,
  { subject = 'delivery 1', type = 'delivery.success', data = {} }: MessageGiven = {},
): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO webhook_messages (endpoint_id, type, subject, data) VALUES ($1, $2, $3, $4) RETURNING id`,
    [endpointId, type, subject, data],
  );
  return row?.id ?? 0;
}

export interface MessageRow {
  readonly id: number;
  readonly type: string;
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly answers: readonly WebhookAnswer[];
}

export const messagesOf = (database: Database, endpointId: number): Promise<MessageRow[]> =>
  database.query<MessageRow>(
    `SELECT id, type, subject, state, attempts, data, answers FROM webhook_messages WHERE endpoint_id = $1 ORDER BY id`,
    [endpointId],
  );

export interface EndpointRow {
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failures: number;
  readonly failing: boolean;
}

export async function endpointRow(database: Database, id: number): Promise<EndpointRow | undefined> {
  const [row] = await database.query<EndpointRow>(
    `SELECT enabled, disabled_reason, failures, failing_since IS NOT NULL AS failing FROM webhook_endpoints WHERE id = $1`,
    [id],
  );
  return row;
}

/** The sending half, as an engine has it. */
export function createTestMessages(
  database: Database,
  given: { addresses?: PublicAddresses; deadlineMs?: number; now?: () => Date } = {},
) {
  const errors: unknown[] = [];
  const store = createWebhookStore(database, given.now);
  const sendMessage = createSendMessage({
    addresses: given.addresses ?? loopbackAllowed,
    openSecret: testSealer.open,
    nowMs: () => (given.now?.() ?? new Date()).getTime(),
    deadlineMs: given.deadlineMs ?? 5_000,
  });
  const messages = createMessageStep({ store, sendMessage, onError: (error) => errors.push(error) });
  const sendAll = async (): Promise<void> => {
    for (let begun = 1; begun > 0; await messages.idle()) begun = await messages.step();
  };
  return { store, sendMessage, messages, sendAll, errors };
}

export interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly type: string;
}

export interface Receiver {
  readonly url: string;
  readonly got: Got[];
  close(): void;
}

/** What each request is answered with; 0: nothing, ever. */
export type Answering = (got: Got, place: number) => { readonly status: number; readonly body?: string };

export async function startReceiver(
  answer: Answering | number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Receiver> {
  const got: Got[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const each = { headers: request.headers, body, type: (JSON.parse(body) as { type: string }).type };
    const { status, body: answered = '' } =
      typeof answer === 'number' ? { status: answer } : answer(each, got.length);
    got.push(each);
    if (status > 0) response.writeHead(status, headers).end(answered);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
