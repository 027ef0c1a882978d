import { randomUUID } from 'node:crypto';
import { issueToken } from '../../../api/cli/issue-token.ts';
import { formatToken } from '../../../engine/adapters/http/token.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { type BuiltApp, buildApp } from '../../support/builders.ts';
import type { Schedule } from './schedule.ts';
import type { World } from './world.ts';

/** A publisher with an app and its subscribers, who posts and insists. */
export interface Publisher {
  readonly app: BuiltApp;
  /** Resolves once the API has accepted it: with 201, and so for good. */
  post(lane: 'bulk' | 'breaking'): Promise<DeliveryId>;
}

const CAP_WINDOW_MINUTES = 1_440;
const POST_TIMEOUT_MS = 90_000;
const ANSWER_TIMEOUT_MS = 10_000;
const PAUSE_MS = 250;
/** Shorter than the step of an engine's clock: by its own clock, it would give up what is still wanted. */
const TTL_SECONDS = 1_800;
const texts = { name: 'n', title: 't', body: 'b', url: 'https://news.example/1' };

export async function createPublisher(
  world: World,
  { subscribers, cap }: Pick<Schedule, 'subscribers' | 'cap'>,
): Promise<Publisher> {
  const { database } = world;
  const app = await buildApp(database);
  await importSubscribers(world, app.id, subscribers);
  await database.query(
    `UPDATE apps SET frequency_cap_max_notifications = $2::int,
       frequency_cap_window_minutes = CASE WHEN $2::int IS NULL THEN NULL ELSE $3::int END WHERE id = $1`,
    [app.id, cap, CAP_WINDOW_MINUTES],
  );
  const issued = await issueToken(database, {
    email: 'editor@news.example',
    organization: 'Daily Example Newsroom',
    name: 'chaos',
    abilities: ['deliveries:write', 'deliveries:read'],
    role: 'admin',
  });
  if (issued.kind !== 'issued') throw new Error(issued.reason);
  await database.query('UPDATE users SET organization_id = $1', [app.organizationId]);
  const url = `${world.crew.apiUrl}/apps/${app.identifier}/deliveries`;
  const authorization = `Bearer ${formatToken(issued.token)}`;

  const post = async (lane: string): Promise<DeliveryId> => {
    // The same key each time: an answer that was lost must not make a second delivery.
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const body = JSON.stringify({ ...texts, ttl_seconds: TTL_SECONDS, lane });
    const endsAt = performance.now() + POST_TIMEOUT_MS;
    for (;;) {
      const id = await ask(url, { method: 'POST', headers, body });
      if (id !== null) return id;
      if (performance.now() > endsAt) throw new Error(`the API took no delivery for ${POST_TIMEOUT_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return { app, post };
}

/** Null: away, or told to come later. @throws Error on any other answer, which no fault explains. */
async function ask(url: string, request: RequestInit): Promise<DeliveryId | null> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(url, { ...request, signal }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => null,
  );
  if (answer === null || [409, 429, 503].includes(answer.status)) return null;
  if (answer.status === 201) return (JSON.parse(answer.text) as { data: { id: DeliveryId } }).data.id;
  throw new Error(`the API answered ${answer.status}: ${answer.text}`);
}

async function importSubscribers(
  { database, pushService }: World,
  appId: number,
  count: number,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => pushService.subscriber(index));
  await database.query(
    `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth)
     SELECT $1, n - 1, endpoint, decode(translate(p256dh, '-_', '+/') || '=', 'base64'),
       decode(translate(auth, '-_', '+/') || '==', 'base64')
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS s (endpoint, p256dh, auth, n)`,
    [appId, rows.map((row) => row.endpoint), rows.map((row) => row.p256dh), rows.map((row) => row.auth)],
  );
  await database.query('UPDATE apps SET next_seq = $2 WHERE id = $1', [appId, count]);
}
