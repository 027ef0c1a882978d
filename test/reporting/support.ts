import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { insertReportToken, type ReportScope } from '../../engine/adapters/postgres/report-tokens.ts';
import { createMetrics } from '../../engine/adapters/telemetry/metrics.ts';
import { formatToken, hashSecret, newSecret } from '../../engine/kit/http/token.ts';
import { createReporting, type ReportingDeps } from '../../reporting/app.ts';
import type { Explain } from '../../reporting/explained/explain.ts';
import type { GenerateReport } from '../../reporting/generate/generate.ts';
import { createTestDatabase } from '../support/postgres.ts';

export interface TestReporting {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly databaseUrl: string;
  /** A further one over the same database, as another process would be. */
  another(changes?: Changes): FastifyInstance;
  exposition(): Promise<string>;
  close(): Promise<void>;
}

export type Changes = Omit<Partial<ReportingDeps>, 'config'> & { config?: Partial<ReportingDeps['config']> };

export const withoutClickHouse = new Proxy({} as ReportingDeps['clickhouse']['client'], {
  get: () => {
    throw new Error('this test has no ClickHouse');
  },
});

/** An answer of one row. */
export const oneRow: GenerateReport = async () => madeOf(Readable.from([Buffer.from('{"impressions":7}\n')]));

/** Of a token that sees no row. */
export const explainsNothing: Explain = {
  compareSources: async () => ({ kind: 'compared', json: '{"status":"success","data":[],"meta":{}}' }),
  findAnomalies: async () => ({ kind: 'found', data: [], meta: {} }),
  sources: async () => [],
  sees: async () => false,
  seen: async () => [],
};

export const madeOf = (rows: Readable): Awaited<ReturnType<GenerateReport>> => ({
  kind: 'made',
  rows,
  columns: [{ name: 'impressions', kind: 'count' }],
  period: { start: '2026-01-01', end: '2026-01-31', timezone: 'UTC', compared: null },
  leftOut: [],
  oldRates: [],
  provenance: null,
  metaOf: (count) => JSON.stringify({ count }),
  refusalOf: () => null,
});

/** The reporting API over a database of its own, with reports that are made up unless a test gives real ones. */
export async function createTestReporting(changes: Changes = {}): Promise<TestReporting> {
  const test = await createTestDatabase();
  const metrics = createMetrics();
  const apps: FastifyInstance[] = [];
  const create = ({ config, ...rest }: Changes): FastifyInstance => {
    const app = createReporting({
      sql: test.database,
      generateReport: oneRow,
      explain: explainsNothing,
      jobs: null,
      schedules: null,
      clickhouse: { client: withoutClickHouse },
      readiness: async () => ({ postgres: await test.database.ping(), clickhouse: true }),
      metrics: metrics.reports,
      logger: false,
      // Tests share a busy machine: only those about overload are to meet it.
      limits: { maxEventLoopDelayMs: 600_000 },
      config: {
        reportingBaseUrl: null,
        trustedProxies: [],
        reportRatePerMinute: 5_000,
        reportPageRatePerMinute: 5_000,
        reportsAtOnce: 4,
        reportsPerUser: 2,
        reportWaitSeconds: 60,
        reportSeconds: 25,
        reportRows: 500_000,
        reportMb: 64,
        reportUnreadMb: 256,
        reportJobRatePerMinute: 5_000,
        ...config,
      },
      ...rest,
    });
    apps.push(app);
    return app;
  };
  const app = create(changes);
  await app.ready();
  return {
    app,
    database: test.database,
    databaseUrl: test.url,
    another: (other = {}) => create({ ...changes, ...other }),
    exposition: async () => (await metrics.exposition()).body,
    close: async () => {
      await Promise.all(apps.map((each) => each.close()));
      await test.drop();
    },
  };
}

export const everything: ReportScope = { domains: [], wholesalers: [], unrestricted: true };
export const nothing: ReportScope = { domains: [], wholesalers: [], unrestricted: false };

/** A user of a new organization. */
export async function createReportUser(database: Database): Promise<number> {
  const name = randomBytes(6).toString('hex');
  const [row] = await database.query<{ id: number }>(
    `WITH made AS (INSERT INTO organizations (name) VALUES ($1) RETURNING id)
     INSERT INTO users (organization_id, email, name, role)
     SELECT id, $1 || '@example.com', 'Test', 'member' FROM made RETURNING id`,
    [name],
  );
  return row?.id ?? 0;
}

/** @returns the token as its holder has it; of a new user unless one is given. */
export async function createReportToken(
  database: Database,
  scope: ReportScope = everything,
  userId?: number,
): Promise<string> {
  const secret = newSecret();
  const id = await insertReportToken(database, {
    ...scope,
    userId: userId ?? (await createReportUser(database)),
    name: 'test',
    secretHash: hashSecret(secret),
  });
  return formatToken({ id, secret });
}

export const generatePath = '/api/v1/reports/generate';
export const plainBody = {
  dimensions: ['day'],
  metrics: ['impressions'],
  currency: 'EUR',
  selectedDate: ['2026-01-01', '2026-01-31'],
} as const;

/** The request as the specification has it. */
export const generateRequest = (token: string | null, payload: unknown = plainBody) => ({
  method: 'POST' as const,
  url: generatePath,
  headers: {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    accept: 'application/json',
    'content-type': 'application/json',
  },
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
});

/** Reports that wait until the test releases them. */
export function heldReports() {
  const begun: AbortSignal[] = [];
  const letGo = Promise.withResolvers<void>();
  const generateReport: GenerateReport = async (_request, _access, signal) => {
    begun.push(signal);
    await letGo.promise;
    return madeOf(Readable.from([Buffer.from('{"impressions":7}\n')]));
  };
  return { begun, letGo: () => letGo.resolve(), generateReport };
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 1_000; n++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`still not so after 10 s: ${holds}`);
}
