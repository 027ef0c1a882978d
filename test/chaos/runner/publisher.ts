import { randomUUID } from 'node:crypto';
import { issueToken } from '../../../api/account/own/tokens/issue.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { formatToken } from '../../../engine/kit/http/token.ts';
import { type BuiltApp, buildApp } from '../../support/builders.ts';
import type { World } from './world.ts';

/** A publisher with an app, which posts and retries. */
export interface Publisher {
  readonly app: BuiltApp;
  /** Of the app. No reader has stated any, so every delivery in it is for all of them. */
  readonly categoryId: number;
  /** In the order in which the API accepted them. */
  readonly accepted: readonly Accepted[];
  /** Resolves once the API has accepted it: with 201, and so permanently. Every other one is in the category. */
  post(lane: 'bulk' | 'breaking'): Promise<DeliveryId>;
  /** Asks for something of the app until there is an answer that no fault explains. @returns its status and `data`. */
  ask<Data>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<ApiAnswer<Data>>;
}

export interface ApiAnswer<Data> {
  readonly status: number;
  /** Of a 2xx. */
  readonly data: Data | undefined;
  readonly text: string;
}

export interface Accepted {
  readonly id: DeliveryId;
  readonly identifier: string;
}

const CAP_WINDOW_MINUTES = 1_440;
const ANSWERED_WITHIN_MS = 90_000;
const ANSWER_TIMEOUT_MS = 10_000;
const PAUSE_MS = 250;
/** Shorter than the step of an engine's clock: by its own clock, it would expire what is still valid. */
export const TTL_SECONDS = 1_800;
export const texts = { title: 't', body: 'b', url: 'https://news.example/1' };

/** Written for each reader in the threads, by tags that readers state themselves. */
const personalTexts = {
  title: 't {{ tag.name | default: "reader" | upcase | truncate: 40 }}',
  url: 'https://news.example/1?for={{ tag.name | truncate: 20 }}',
};

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
  const url = `${world.crew.apiUrl}/apps/${app.identifier}`;
  const authorization = `Bearer ${formatToken(issued.token)}`;

  const ask: Publisher['ask'] = async <Data>(method: string, path: string, body?: object) => {
    // The same key each time: an answer that was lost must not make a second delivery.
    const headers = { authorization, 'idempotency-key': randomUUID() };
    const request: RequestInit =
      body === undefined
        ? { method, headers }
        : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const endsAt = performance.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      const answer = await askOnce<Data>(url + path, request);
      if (answer !== null) return answer;
      if (performance.now() > endsAt)
        throw new Error(`the API was unavailable for ${ANSWERED_WITHIN_MS} ms: ${path}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const post = async (lane: string): Promise<DeliveryId> => {
    const isOdd = posted++ % 2 === 1;
    const category = isOdd ? { delivery_category_id: categoryId } : {};
    const personal = isOdd ? {} : personalTexts;
    const body = { name: 'n', ...texts, ...personal, ...category, ttl_seconds: TTL_SECONDS, lane };
    const { status, data, text } = await ask<Accepted>('POST', '/deliveries', body);
    if (status !== 201 || data === undefined) throw new Error(`the API answered ${status}: ${text}`);
    accepted.push(data);
    return data.id;
  };
  return { app, categoryId, accepted, post, ask };
}

/** Null: away, or refused with Retry-After. */
async function askOnce<Data>(url: string, request: RequestInit): Promise<ApiAnswer<Data> | null> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(url, { ...request, signal }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => null,
  );
  if (answer === null || [409, 429, 503].includes(answer.status)) return null;
  const { status, text } = answer;
  return { status, text, data: status < 300 ? (JSON.parse(text) as { data: Data }).data : undefined };
}
