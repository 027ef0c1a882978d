import { randomUUID } from 'node:crypto';
import { issueToken } from '../../../api/cli/issue-token.ts';
import { formatToken } from '../../../engine/adapters/http/token.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { type BuiltApp, buildApp } from '../../support/builders.ts';
import type { World } from './world.ts';

/** A publisher with an app, who posts and insists. */
export interface Publisher {
  readonly app: BuiltApp;
  /** Of the app. No reader has stated any, so every delivery in it is for all of them. */
  readonly categoryId: number;
  /** In the order in which the API accepted them. */
  readonly accepted: readonly Accepted[];
  /** Resolves once the API has accepted it: with 201, and so for good. Every other one is in the category. */
  post(lane: 'bulk' | 'breaking'): Promise<DeliveryId>;
}

export interface Accepted {
  readonly id: DeliveryId;
  readonly identifier: string;
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
  { cap }: { readonly cap: number | null },
): Promise<Publisher> {
  const { database } = world;
  const app = await buildApp(database);
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
  await database.query('UPDATE users SET organization_id = $1 WHERE id = $2', [
    app.organizationId,
    issued.userId,
  ]);
  const [category] = await database.query<{ id: number }>(
    `INSERT INTO delivery_categories (app_id, name) VALUES ($1, 'Sport') RETURNING id`,
    [app.id],
  );
  const categoryId = category?.id ?? 0;
  const accepted: Accepted[] = [];
  let posted = 0;
  const url = `${world.crew.apiUrl}/apps/${app.identifier}/deliveries`;
  const authorization = `Bearer ${formatToken(issued.token)}`;

  const post = async (lane: string): Promise<DeliveryId> => {
    // The same key each time: an answer that was lost must not make a second delivery.
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const category = posted++ % 2 === 1 ? { delivery_category_id: categoryId } : {};
    const body = JSON.stringify({ ...texts, ...category, ttl_seconds: TTL_SECONDS, lane });
    const endsAt = performance.now() + POST_TIMEOUT_MS;
    for (;;) {
      const delivery = await ask(url, { method: 'POST', headers, body });
      if (delivery !== null) {
        accepted.push(delivery);
        return delivery.id;
      }
      if (performance.now() > endsAt) throw new Error(`the API took no delivery for ${POST_TIMEOUT_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return { app, categoryId, accepted, post };
}

/** Null: away, or told to come later. @throws Error on any other answer, which no fault explains. */
async function ask(url: string, request: RequestInit): Promise<Accepted | null> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(url, { ...request, signal }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => null,
  );
  if (answer === null || [409, 429, 503].includes(answer.status)) return null;
  if (answer.status === 201) return (JSON.parse(answer.text) as { data: Accepted }).data;
  throw new Error(`the API answered ${answer.status}: ${answer.text}`);
}
