import type { FastifyInstance } from 'fastify';
import { insertPasskey } from '../../api/account/log-in/passkeys/store.ts';
import { insertGrantedToken } from '../../api/account/organization/report-tokens/store.ts';
import { createToken } from '../../api/auth/token-store.ts';
import { createPreferenceLinks } from '../../api/shared/preferences/link.ts';
import { grantDomain } from '../../api/shared/revenue/revenue-domains.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { type AppId, toId } from '../../engine/contract/ids.ts';
import { hashSecret, newSecret } from '../../engine/kit/http/token.ts';
import { appBody, bearer, createMember, deliveryBody, MASTER_KEY, type Member } from '../api/support.ts';
import { buildSubscriptions } from '../support/builders.ts';
import { createAuthenticator } from '../support/passkeys.ts';
import { appIdOf } from '../support/subscriptions.ts';

/** What a fixture is made with. */
export interface Maker {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly member: Member;
  /** The path parameters before this one. */
  readonly made: Readonly<Record<string, string>>;
}

/** Makes a resource of the member's and returns what names it in a path. */
export type MakeFixture = (maker: Maker) => Promise<string>;

/** Is in every fixture of a member: wherever else it appears, it has crossed a wall. */
export const canaryOf = ({ organizationId }: Member): string => `canary-${organizationId}-x`;

/** One that waits can still be cancelled. */
const later = { scheduled_at: '2999-01-31T12:00:00Z' };

/** By the name of the path parameter. Every parameter of every route has one. */
export const fixtures: Readonly<Record<string, MakeFixture>> = {
  identifier: (maker) => create(maker, '/apps', appBody({ name: canaryOf(maker.member) }), 'identifier'),
  delivery_id: (maker) => {
    const name = canaryOf(maker.member);
    return create(maker, `${appPath(maker)}/deliveries`, deliveryBody({ ...later, name, title: name }));
  },
  category_id: (maker) =>
    create(maker, `${appPath(maker)}/delivery-categories`, { name: canaryOf(maker.member) }),
  segment_id: (maker) => {
    const rules = { match: 'all', conditions: [{ field: 'country', operator: 'in', values: ['DE'] }] };
    return create(maker, `${appPath(maker)}/segments`, { name: canaryOf(maker.member), rules });
  },
  /** One that waits can still be changed. */
  campaign_id: (maker) => {
    const name = canaryOf(maker.member);
    const { title, body, url } = deliveryBody({ title: name });
    const notification = { title, body, url };
    const plan = { kind: 'ab_test', starts_at: later.scheduled_at };
    return create(maker, `${appPath(maker)}/campaigns`, {
      name,
      notifications: [notification, notification],
      plan,
    });
  },
  draft_id: (maker) => {
    const name = canaryOf(maker.member);
    return create(maker, `${appPath(maker)}/drafts`, { kind: 'draft', name, values: { title: name } });
  },
  /** A draft of the campaign's, as a feed makes it. */
  item_id: async ({ database, member, made }) => {
    const name = canaryOf(member);
    const content = { title: name, body: name, url: 'https://news.example.com/', buttons: [] };
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO feed_items (campaign_id, app_id, role, status, content)
       SELECT id, app_id, 'item key', 'draft', $2 FROM campaigns WHERE id = $1 RETURNING id`,
      [made.campaign_id, JSON.stringify({ ...content, imageUrl: null, imageHash: null })],
    );
    return String(row?.id);
  },
  subscription_id: async ({ database, member, made }) => {
    const appId = await appIdOf(database, made.identifier ?? '');
    await buildSubscriptions(database, appId, 1);
    const [row] = await database.query<{ id: number }>(
      `UPDATE subscriptions SET user_identity = $2, tags = jsonb_build_object('name', $2::text)
       WHERE app_id = $1 RETURNING id`,
      [appId, canaryOf(member)],
    );
    return String(row?.id);
  },
  erasure_id: async ({ database, made }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO erasures (app_id, named_by, subscriptions, seqs)
       SELECT id, 'endpoint', 0, '{}' FROM apps WHERE identifier = $1 RETURNING id`,
      [made.identifier],
    );
    return String(row?.id);
  },
  test_browser_id: async (maker) => {
    const { database, member } = maker;
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO test_browsers (app_id, seq, name, registered_by)
       SELECT app_id, seq, $2, '' FROM subscriptions WHERE id = $1
       ON CONFLICT (app_id, seq) DO UPDATE SET name = excluded.name RETURNING id`,
      [await fixtures.subscription_id?.(maker), canaryOf(member)],
    );
    return String(row?.id);
  },
  /** The key that a rotation retires. */
  key_id: async (maker) => {
    await create(maker, `${appPath(maker)}/vapid-keys`, {});
    const url = `/api/v1/client${appPath(maker)}/vapid-keys`;
    const { app, member } = maker;
    const answer = await app.inject({ method: 'GET', url, headers: bearer(member.token) });
    const keys = answer.json<{ data: { id: string; state: string }[] }>().data;
    return keys.find(({ state }) => state === 'retiring')?.id ?? '';
  },
  /** Of a tag: every subscription made here has it. */
  key: async () => 'name',
  /** A file of the SDK, and of the dashboard. */
  name: async () => 'broadside.js',
  hash: async () => 'AAAAAAAA',
  file: async ({ database }) => {
    const bytes = Buffer.from('GIF89a');
    const [row] = await database.query<{ hash: string }>(
      `INSERT INTO images (hash, content_type, bytes) VALUES (sha256($1), 'image/png', $1)
       ON CONFLICT (hash) DO UPDATE SET used_at = now() RETURNING encode(hash, 'hex') AS hash`,
      [bytes],
    );
    return `${row?.hash}.png`;
  },
  token_id: async ({ database, member }) => {
    const token = { userId: member.userId, name: canaryOf(member), abilities: ['apps:read'] as const };
    return String((await createToken(database, token)).id);
  },
  session_id: async ({ database, member }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO sessions (secret_hash, user_id, browser) VALUES ($1, $2, $3) RETURNING id`,
      [hashSecret(newSecret()), member.userId, canaryOf(member)],
    );
    return String(row?.id);
  },
  passkey_id: async ({ database, member }) => {
    const { name, coseKey } = createAuthenticator();
    const passkey = { credentialId: name, publicKey: coseKey, counter: 0, transports: [] };
    const { userId } = member;
    const made = await insertPasskey(database, { ...passkey, userId, name: canaryOf(member) });
    return String(made?.id);
  },
  report_token_id: async ({ database, member }) => {
    await grantDomain(database, toId(member.organizationId), 'news.example.com');
    const name = canaryOf(member);
    const token = {
      userId: member.userId,
      name,
      domains: ['news.example.com'],
      secretHash: Buffer.from(name),
    };
    return String((await insertGrantedToken(database, token)).id);
  },
  user_id: async ({ database, member }) => {
    const { userId } = await createMember(database, {
      role: 'member',
      organizationId: member.organizationId,
    });
    await database.query(`UPDATE users SET name = $2 WHERE id = $1`, [userId, canaryOf(member)]);
    return String(userId);
  },
  invitation_id: async ({ database, member }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO invitations (organization_id, email, role, secret_hash, expires_at)
       VALUES ($1, $2, 'member', '', now() + interval '1 day') RETURNING id`,
      [member.organizationId, `${canaryOf(member)}@example.com`],
    );
    return String(row?.id);
  },
  channel_id: async ({ database, member }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO alert_channels (organization_id, kind, address, alert_kinds)
       VALUES ($1, 'webhook', $2, '{delivery-failed}') RETURNING id`,
      [member.organizationId, `https://ops.example.com/${canaryOf(member)}`],
    );
    return String(row?.id);
  },
  alert_id: async ({ database, member }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO alerts (organization_id, kind, key, detail)
       VALUES ($1, 'test', gen_random_uuid()::text, jsonb_build_object('name', $2::text)) RETURNING id`,
      [member.organizationId, canaryOf(member)],
    );
    return String(row?.id);
  },
  webhook_id: async ({ database, member }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO webhook_endpoints (organization_id, url, types) VALUES ($1, $2, '{delivery.failed}') RETURNING id`,
      [member.organizationId, `https://ops.example.com/${canaryOf(member)}`],
    );
    return String(row?.id);
  },
  message_id: async ({ database, member, made }) => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO webhook_messages (endpoint_id, type, subject, data)
       VALUES ($1, 'delivery.failed', 'delivery 1', jsonb_build_object('name', $2::text)) RETURNING id`,
      [made.webhook_id, canaryOf(member)],
    );
    return String(row?.id);
  },
  /** Signed, of a subscription that is nobody's. */
  token: async () => {
    const nobodys = { appId: toId<AppId>(2_000_000_000), subscriptionId: 1 };
    return createPreferenceLinks(MASTER_KEY).issue(nobodys, Date.now(), 1).path.split('/').at(-1) ?? '';
  },
  /** Of a report job or of a schedule, which the reporting API makes: here there is none. */
  id: async () => '1',
  part: async () => '0',
  run: async () => '1',
  organization_id: async ({ database, member }) => {
    const id = member.organizationId;
    await database.query(`UPDATE organizations SET name = $2 WHERE id = $1`, [id, canaryOf(member)]);
    return String(id);
  },
};

const appPath = ({ made }: Maker): string => `/apps/${made.identifier}`;

/** Through the API itself, so that a fixture is what the API makes. */
async function create({ app, member }: Maker, path: string, body: object, key = 'id'): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/client${path}`,
    headers: bearer(member.token),
    payload: body,
  });
  if (answer.statusCode !== 201) throw new Error(`no fixture from ${path}: ${answer.body}`);
  return String(answer.json<{ data: Record<string, unknown> }>().data[key]);
}
