import { createECDH, randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createApi } from '../../api/app.ts';
import { type Ability, abilities, type Role } from '../../api/auth/abilities.ts';
import { formatToken } from '../../api/auth/token.ts';
import { createToken } from '../../api/auth/token-store.ts';
import type { AnalyticsPort } from '../../api/client/analytics/port.ts';
import type { ApiDeps } from '../../api/deps.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { type DeliveryId, toId, type UserId } from '../../engine/contract/ids.ts';
import { createTestDatabase } from '../support/postgres.ts';

export const MASTER_KEY = Buffer.alloc(32, 7);

/** Answers what a test put in; rejects while `away`. */
export interface StubAnalytics extends AnalyticsPort {
  readonly clicks: Map<DeliveryId, number>;
  away: boolean;
  asked: number;
}

export function createStubAnalytics(): StubAnalytics {
  const clicks = new Map<DeliveryId, number>();
  const stub: StubAnalytics = {
    clicks,
    away: false,
    asked: 0,
    deliveryClicks: async () => answer(clicks),
    appClicks: async () => answer([...clicks.values()].reduce((sum, each) => sum + each, 0)),
  };
  const answer = <Value>(value: Value): Value => {
    stub.asked++;
    if (stub.away) throw new Error('ClickHouse is away');
    return value;
  };
  return stub;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly analytics: StubAnalytics;
  /** How often the relay was woken. */
  wakes(): number;
  close(): Promise<void>;
}

export async function createTestApi(changes: Partial<ApiDeps> = {}): Promise<TestApi> {
  const test = await createTestDatabase();
  const analytics = createStubAnalytics();
  let wakes = 0;
  const app = createApi({
    database: test.database,
    masterKey: MASTER_KEY,
    analytics,
    readiness: async () => ({ postgres: await test.database.ping() }),
    wakeRelay: () => {
      wakes++;
    },
    endpointPolicy: { hosts: ['push.example.com'], allowAnyHost: false },
    logger: false,
    config: { publicBaseUrl: null, allowLocalhostOrigin: false },
    ...changes,
  });
  await app.ready();
  return {
    app,
    database: test.database,
    databaseUrl: test.url,
    analytics,
    wakes: () => wakes,
    close: async () => {
      await app.close();
      await test.drop();
    },
  };
}

export interface Member {
  readonly organizationId: number;
  readonly userId: UserId;
  readonly token: string;
}

/** A user of a new organization, or of the one given, with a token. */
export async function createMember(
  database: Database,
  options: { role?: Role; abilities?: readonly Ability[]; organizationId?: number } = {},
): Promise<Member> {
  const name = randomBytes(6).toString('hex');
  const organizationId =
    options.organizationId ??
    (
      await database.query<{ id: number }>(`INSERT INTO organizations (name) VALUES ($1) RETURNING id`, [
        name,
      ])
    )[0]?.id ??
    0;
  const [user] = await database.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role) VALUES ($1, $2, 'Test', $3) RETURNING id`,
    [organizationId, `${name}@example.com`, options.role ?? 'admin'],
  );
  const userId = toId<UserId>(user?.id);
  const token = await createToken(database, {
    userId,
    name: 'test',
    abilities: options.abilities ?? abilities,
  });
  return { organizationId, userId, token: formatToken(token) };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Requests of one member: `call('POST', '/apps', body)`. */
export function callAs(app: FastifyInstance, member: Member) {
  return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const request: InjectOptions = { method, url: `/api/v1/client${path}`, headers: bearer(member.token) };
    return app.inject(body === undefined ? request : { ...request, payload: body });
  };
}

export const appBody = (changes: object = {}) => ({
  name: 'Example News',
  site_domain: 'https://news.example.com',
  ...changes,
});

export const deliveryBody = (changes: object = {}) => ({
  name: 'Morning',
  title: 'Good morning',
  body: 'The news of the day',
  url: 'https://news.example.com/today',
  ...changes,
});

/** Keys of a browser's subscription, as the Push API gives them. */
export function newKeys(): { p256dh: string; auth: string } {
  const pair = createECDH('prime256v1');
  return { p256dh: pair.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
}

export const newEndpoint = (): string =>
  `https://push.example.com/send/${randomBytes(24).toString('base64url')}`;
