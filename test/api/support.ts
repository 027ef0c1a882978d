import { createECDH, randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll } from 'vitest';
import { type Ability, abilities, type Role } from '../../api/auth/abilities.ts';
import { storedRole } from '../../api/auth/grant-store.ts';
import { createToken } from '../../api/auth/token-store.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../api/ports/analytics.ts';
import type { ApiDeps } from '../../api/ports/deps.ts';
import { createApi } from '../../api/serve/app.ts';
import type { RecordedAttempt } from '../../engine/adapters/clickhouse/analytics.ts';
import type {
  DayEarnings,
  EarningsQuestion,
  HourEarnings,
} from '../../engine/adapters/clickhouse/earnings.ts';
import type { PersonAttempt, PersonEvent } from '../../engine/adapters/clickhouse/person-reads.ts';
import {
  type DeliveryReactions,
  noReactions,
  type Visits,
} from '../../engine/adapters/clickhouse/reactions.ts';
import type { Ended, ServiceCost, ServiceDay } from '../../engine/adapters/clickhouse/service-days.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { reachKey } from '../../engine/contract/audience.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import { type DeliveryId, toId, type UserId } from '../../engine/contract/ids.ts';
import type { Rate } from '../../engine/contract/rate-table.ts';
import { formatToken } from '../../engine/kit/http/token.ts';
import { createPublicAddresses } from '../../engine/network/public-addresses.ts';
import { createMemoryLog } from '../support/memory-log/log.ts';
import { createMemoryStore, type MemoryStore } from '../support/memory-log/store.ts';
import { createTestDatabase, openDatabase } from '../support/postgres.ts';

export const MASTER_KEY = Buffer.alloc(32, 7);

/** Gives the answers that a test puts in; rejects while `away`. */
export interface StubAnalytics extends AnalyticsPort {
  readonly clicks: Map<DeliveryId, number>;
  /** Deliveries clicked, by seq. */
  readonly clickedBy: Map<number, number>;
  /** One without counts as displayed and clicked what `clicks` says. */
  readonly reactions: Map<DeliveryId, DeliveryReactions>;
  /** Of every delivery. */
  hourlyClicks: ReadonlyMap<number, number>;
  /** Of every period. */
  serviceTotals: readonly ServiceDay[];
  /** Of every delivery. */
  costs: readonly ServiceCost[];
  readonly ended: Map<DeliveryId, Ended>;
  /** By `reachKey`. */
  readonly reached: Map<string, Uint8Array>;
  /** Of every subscription and delivery. */
  attempts: readonly RecordedAttempt[];
  /** Of every person. */
  person: { readonly attempts: readonly PersonAttempt[]; readonly events: readonly PersonEvent[] };
  keptDays: number | null;
  /** Before any correction. */
  seen: number;
  /** Of every site and period. */
  earnings: readonly DayEarnings[];
  fxRates: readonly Rate[];
  /** Of every site and period, by hour. */
  hourEarnings: readonly HourEarnings[];
  /** Of every app and period. */
  visits: { hourly: readonly Visits[]; daily: readonly Visits[] };
  /** The recorded earnings queries. */
  readonly sitesAsked: EarningsQuestion[];
  /** The sources and days of the site's rows. */
  sourceDays: [source: string, day: string][];
  away: boolean;
  asked: number;
}

export function createStubAnalytics(): StubAnalytics {
  const clicks = new Map<DeliveryId, number>();
  const clickedBy = new Map<number, number>();
  const stub: StubAnalytics = {
    clicks,
    clickedBy,
    reactions: new Map(),
    hourlyClicks: new Map(),
    serviceTotals: [],
    costs: [],
    ended: new Map(),
    reached: new Map(),
    attempts: [],
    person: { attempts: [], events: [] },
    keptDays: null,
    seen: 0,
    earnings: [],
    hourEarnings: [],
    visits: { hourly: [], daily: [] },
    fxRates: [],
    sitesAsked: [],
    sourceDays: [],
    away: false,
    asked: 0,
    deliveryClicks: async () => answer(clicks),
    clicksSince: async () => answer(clicks),
    deliveryReactions: async (_, id) => answer(stub.reactions.get(id) ?? clickedOnly(clicks.get(id) ?? 0)),
    seenBefore: async () => answer(stub.seen),
    clicksByHour: async () => answer(stub.hourlyClicks),
    reactionsSince: async () => answer(stub.reactions),
    serviceDays: async () => answer(stub.serviceTotals),
    serviceCosts: async () => answer(stub.costs),
    endedFrom: async () => answer(stub.ended),
    reacted: async (_, named) => answer(stub.reached.get(reachKey(named)) ?? new Uint8Array()),
    subscriptionClicks: async () => answer(clickedBy),
    attemptsOf: async () => answer(stub.attempts),
    siteEarnings: async (question) => {
      stub.sitesAsked.push(question);
      return [...answer(stub.earnings)];
    },
    siteHours: async (question) => {
      stub.sitesAsked.push(question);
      return [...answer(stub.hourEarnings)];
    },
    hourlyVisits: async () => answer(stub.visits.hourly),
    dailyVisits: async () => answer(stub.visits.daily),
    siteSources: async () => [...answer(stub.sourceDays)],
    rates: async (currencies) => answer(stub.fxRates.filter(({ currency }) => currencies.includes(currency))),
    personAttempts: async (_app, _seqs, { offset }) => answer(stub.person.attempts.slice(offset)),
    personEvents: async (_app, _seqs, { offset }) => answer(stub.person.events.slice(offset)),
    attemptsKeptDays: async () => answer(stub.keptDays),
  };
  const answer = <Value>(value: Value): Value => {
    stub.asked++;
    if (stub.away) throw new AnalyticsAway(new Error('connection refused'));
    return value;
  };
  return stub;
}

const clickedOnly = (clicks: number): DeliveryReactions => ({
  ...noReactions,
  ...{ displayed: clicks, clicked: clicks },
});

export interface TestApi {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly analytics: StubAnalytics;
  /** The messages on the log. */
  readonly logStore: MemoryStore;
  /** How often the relay was woken. */
  wakes(): number;
  close(): Promise<void>;
}

/** @param prepare sees the API before its routes register. */
export async function createTestApi(
  {
    config,
    ownPools = false,
    ...changes
  }: Omit<Partial<ApiDeps>, 'config'> & {
    config?: Partial<ApiDeps['config']>;
    /** Connections for browsers and for reads of their own, as a process has them. */
    ownPools?: boolean;
  } = {},
  prepare: (app: FastifyInstance) => void = () => {},
): Promise<TestApi> {
  const test = await createTestDatabase();
  const pools = ownPools
    ? { publicDatabase: openDatabase(test.url, 2), readDatabase: openDatabase(test.url, 4) }
    : {};
  const analytics = createStubAnalytics();
  const logStore = createMemoryStore();
  let wakes = 0;
  const app = createApi({
    database: test.database,
    ...pools,
    masterKey: MASTER_KEY,
    analytics,
    log: createMemoryLog({ store: logStore, clock: systemClock }),
    readiness: async () => ({ postgres: await test.database.ping() }),
    wakeRelay: () => {
      wakes++;
    },
    endpointPolicy: { hosts: ['push.example.com'], allowAnyHost: false },
    publicAddresses: createPublicAddresses(),
    logger: false,
    // Tests share a busy machine: only those about overload are to meet it.
    limits: { maxEventLoopDelayMs: 600_000 },
    config: {
      publicBaseUrl: null,
      reportingUrl: null,
      allowLocalhostOrigin: false,
      publicRatePerMinute: 1_000_000,
      newSubscriptionsPerHour: 0,
      trustedProxies: [],
      countryHeader: null,
      clientRatePerMinute: 5_000,
      sessionRatePerMinute: 5_000,
      apiReadConnections: 4,
      readsPerOrganization: 2,
      // Tests share a busy machine: only those about this time are to use it up.
      readSecondsPerMinute: 60_000,
      breakingPerDay: null,
      smtpUrl: null,
      mailFrom: null,
      ...config,
    },
    ...changes,
  });
  prepare(app);
  await app.ready();
  return {
    app,
    database: test.database,
    databaseUrl: test.url,
    analytics,
    logStore,
    wakes: () => wakes,
    close: async () => {
      await app.close();
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
      await test.drop();
    },
  };
}

/** As `createTestApi`, until the tests of the file, or of the block around it, are over. */
export async function openTestApi(...options: Parameters<typeof createTestApi>): Promise<TestApi> {
  const api = await createTestApi(...options);
  afterAll(api.close);
  return api;
}

/** Such an API, an admin of an organization with a token, and their requests. */
export async function openWithMember(...options: Parameters<typeof createTestApi>) {
  const api = await openTestApi(...options);
  const member = await createMember(api.database);
  return { api, member, call: callAs(api.app, member) };
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
  const stored = storedRole(options.role ?? 'admin');
  const [user] = await database.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role, narrowed) VALUES ($1, $2, 'Test', $3, $4) RETURNING id`,
    [organizationId, `${name}@example.com`, stored.role, stored.narrowed],
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
  return (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
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
