import { Client } from 'pg';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { createMetrics } from '../../../engine/adapters/telemetry/metrics.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { createFairQueue } from '../../../engine/contract/concurrency/fair-queue.ts';
import { createHeldAnswers } from '../../../reporting/answer/held-answers.ts';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import type { GenerateReport } from '../../../reporting/generate/generate.ts';
import { type RunningWire, startWire, type WireOptions } from '../../../reporting/wire/server.ts';
import { createReportWorld, NOW, type ReportWorld, testBounds } from '../world.ts';

export interface WireWorld {
  readonly world: ReportWorld;
  readonly wire: RunningWire;
  /** A client of node-postgres that has logged in with the token. */
  connect(token: string, options?: object): Promise<Client>;
  exposition(): Promise<string>;
  close(): Promise<void>;
}

export type WireChanges = Partial<WireOptions> & {
  readonly ratePerMinute?: number;
  readonly generateReport?: GenerateReport;
};

/** Reports through the wire, over the embedded ClickHouse; today is `NOW`. */
export async function openWireWorld(changes: WireChanges = {}): Promise<WireWorld> {
  const world = await createReportWorld('embedded');
  const opened = await openWireOver(world, changes);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await world.close();
    },
  };
}

/** Of its own, as another process over the same world has it: it remembers nothing of rows before. */
export async function openWireOver(
  world: ReportWorld,
  { ratePerMinute = 5_000, generateReport, ...options }: WireChanges = {},
): Promise<WireWorld> {
  const metrics = createMetrics();
  const wire = await startWire(
    {
      ...{ host: '127.0.0.1', port: 0, tls: null, allowsClearText: false },
      ...{ connections: 20, connectionsPerToken: 10 },
      ...options,
    },
    {
      sql: world.database,
      generateReport: generateReport ?? world.generateWith(createReportReader(world.clickhouse, testBounds)),
      queue: createFairQueue({ permits: 4, perOwner: 2, waiting: 64, waitMs: 60_000 }),
      answers: createHeldAnswers({
        answerBytes: 64 * 1_048_576,
        answerRows: 500_000,
        totalBytes: 256 * 1_048_576,
        waitMs: 25_000,
        clock: systemClock,
      }),
      logger: createLogger({ level: 'error', format: 'json', role: 'test' }),
      metrics: metrics.reports,
      ratePerMinute,
      answerMb: 64,
      now: () => NOW,
    },
  );
  return {
    world,
    wire,
    connect: async (token, extra = {}) => {
      const client = new Client({
        ...{ host: '127.0.0.1', port: wire.port, user: 'reports', database: 'broadside', password: token },
        ...extra,
      });
      await client.connect();
      return client;
    },
    exposition: async () => (await metrics.exposition()).body,
    close: () => wire.close(),
  };
}

/** Every value as the text that came over the wire. */
export const asTexts = { getTypeParser: () => (value: string | Buffer) => String(value) };
