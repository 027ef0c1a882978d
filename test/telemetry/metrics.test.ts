// tier: unit
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MetricEntry } from '../../engine/adapters/telemetry/metric-entry.ts';
import { metricRegister } from '../../engine/adapters/telemetry/metric-register.ts';
import { createMetrics, type Metrics } from '../../engine/adapters/telemetry/metrics.ts';

const entries: readonly MetricEntry[] = Object.values(metricRegister);
/** Series of one metric that an operator's store can carry without a thought. */
const MAX_SERIES = 64;

async function lines(metrics: Metrics): Promise<string[]> {
  return (await metrics.exposition()).body.split('\n').filter((line) => line.startsWith('broadside_'));
}

describe('the register of metrics', () => {
  it('names each metric after its kind and unit, once', () => {
    for (const { name, kind, unit } of entries) {
      expect(name).toMatch(/^broadside_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(kind === 'counter');
      if (kind === 'histogram') expect(name.endsWith(`_${unit}`)).toBe(true);
    }
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  it('bounds the series of every metric by its label sets', () => {
    for (const { name, labels } of entries) {
      const series = Object.values(labels).reduce((product, values) => product * values.length, 1);
      expect(series, name).toBeLessThanOrEqual(MAX_SERIES);
    }
  });

  it('holds everything that is exposed, with kind, unit and meaning', async () => {
    const { body } = await createMetrics().exposition();
    for (const { name, kind, unit, meaning } of entries) {
      expect(body).toContain(`# TYPE ${name} ${kind}`);
      expect(body).toContain(`# HELP ${name} ${meaning} Unit: ${unit}.`);
    }
    const exposed = [...body.matchAll(/^# TYPE (broadside_\S+)/gm)].map(([, name]) => name);
    expect(exposed.toSorted()).toEqual(entries.map(({ name }) => name).toSorted());
  });
});

describe('metrics', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('show how late the event loop is without the period at which it is measured', async () => {
    const metrics = createMetrics();
    const least = async (): Promise<number> => {
      const { body } = await metrics.exposition();
      return Number(/^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(body)?.[1]);
    };
    await expect.poll(least, { interval: 500, timeout: 60_000 }).toBeLessThan(0.1);
  });

  it('show no lateness below 0, and none where nothing was measured since the scrape before', async () => {
    const metrics = createMetrics();
    for (let scrape = 0; scrape < 3; scrape++) {
      const { body } = await metrics.exposition();
      const shown = [...body.matchAll(/^nodejs_eventloop_lag_(?:min|max|mean|p\d\d)_seconds (\S+)$/gm)];
      expect(shown).toHaveLength(6);
      for (const [line, value] of shown) {
        expect(Number(value), line).toBeGreaterThanOrEqual(0);
        expect(Number(value), line).toBeLessThan(600);
      }
    }
  });

  it('start every counter at 0, so that the first event is seen as one', async () => {
    const exposed = await lines(createMetrics());
    expect(exposed).toContain('broadside_attempts_total{push_service="fcm",outcome="accepted"} 0');
    expect(exposed).toContain('broadside_deliveries_completed_total{status="partial"} 0');
    expect(exposed).toContain('broadside_worker_threads_lost_total 0');
  });

  it('count every call', async () => {
    const metrics = createMetrics();
    metrics.deliveryCompleted('success');
    metrics.shardEnded('lease-lost');
    metrics.attempts('mozilla', 'gone', 3);
    metrics.attempts('mozilla', 'gone', 4);
    metrics.attemptsUnknown('mozilla', 2);
    metrics.service.answered('public', '2xx', 30);
    metrics.service.answered('client', '429', null);
    metrics.blockEnded(300);
    metrics.recordBatch(2_000, 40);
    metrics.recordBatch(500, 60);
    metrics.workerThreadLost();
    metrics.backPressurePause('record');
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'broadside_deliveries_completed_total{status="success"} 1',
        'broadside_shards_ended_total{ending="lease-lost"} 1',
        'broadside_attempts_total{push_service="mozilla",outcome="gone"} 7',
        'broadside_attempts_unknown_total{push_service="mozilla"} 2',
        'broadside_api_requests_total{surface="public",status="2xx"} 1',
        'broadside_api_requests_total{surface="client",status="429"} 1',
        'broadside_api_seconds_count{surface="public"} 1',
        'broadside_block_seconds_bucket{le="0.25"} 0',
        'broadside_block_seconds_bucket{le="0.5"} 1',
        'broadside_block_seconds_sum 0.3',
        'broadside_record_batches_total 2',
        'broadside_record_seconds_bucket{le="0.05"} 1',
        'broadside_record_rows_total 2500',
        'broadside_worker_threads_lost_total 1',
        'broadside_back_pressure_pauses_total{stage="record"} 1',
      ]),
    );
  });

  it('count records from ad servers, by topic, and read the backlog', async () => {
    const metrics = createMetrics();
    metrics.ingest.taken('ad-stats', 40, 300);
    metrics.ingest.taken('ad-stats', 0, 20);
    metrics.ingest.taken('fx-rates', 30, 80);
    metrics.ingest.setAside(2);
    metrics.ingest.sampleLag(async () => ({ 'ad-stats': 3 }));
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'broadside_ingest_batches_total{topic="ad-stats"} 2',
        'broadside_ingest_rows_total{topic="ad-stats"} 40',
        'broadside_ingest_rows_total{topic="fx-rates"} 30',
        'broadside_ingest_rows_set_aside_total 2',
        'broadside_ingest_batch_seconds_bucket{le="0.25",topic="ad-stats"} 1',
        'broadside_ingest_batch_seconds_bucket{le="0.5",topic="ad-stats"} 2',
        'broadside_ingest_lag_messages{topic="ad-stats"} 3',
        'broadside_ingest_lag_messages{topic="fx-rates"} 0',
      ]),
    );
  });

  it('put the answers of a block into the buckets of their push service', async () => {
    const metrics = createMetrics();
    metrics.answered('mozilla', [20, 40, 3_000]);
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'broadside_answer_seconds_bucket{le="0.025",push_service="mozilla"} 1',
        'broadside_answer_seconds_bucket{le="5",push_service="mozilla"} 3',
        'broadside_answer_seconds_sum{push_service="mozilla"} 3.06',
      ]),
    );
  });

  it('read the open work when requested, 0 where there is none', async () => {
    const metrics = createMetrics();
    metrics.sampleDeliveries(async () => ({ processing: 2 }));
    metrics.sampleShards(async () => ({ planned: 40, running: 3 }));
    metrics.sampleTargets(async () => ({ released: 1_234, paced: 10 }));
    metrics.sampleLogLag(async () => ({ outcomes: 5 }));
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'broadside_deliveries_open{status="processing"} 2',
        'broadside_deliveries_open{status="scheduled"} 0',
        'broadside_shards_open{state="planned"} 40',
        'broadside_targets_open{state="released"} 1234',
        'broadside_targets_open{state="waiting"} 0',
        'broadside_targets_open{state="paced"} 10',
        'broadside_log_lag_messages{topic="outcomes"} 5',
        'broadside_log_lag_messages{topic="shards.bulk"} 0',
      ]),
    );
    metrics.sampleShards(() => Promise.reject(new Error('away')));
    const exposed = await lines(metrics);
    expect(exposed.filter((line) => line.startsWith('broadside_shards_open'))).toEqual([]);
    expect(exposed).toContain('broadside_deliveries_open{status="processing"} 2');
  });

  it('describe the engine of their process', async () => {
    const metrics = createMetrics();
    metrics.sampleEngine({
      ...{ state: () => 'paused', shardsInHand: () => 3, stillForMs: () => 0, workerUtilisation: () => 0.25 },
      encryption: () => 'openssl',
    });
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'broadside_engine_state{state="paused"} 1',
        'broadside_engine_state{state="running"} 0',
        'broadside_shards_in_hand 3',
        'broadside_worker_utilisation_ratio 0.25',
        'broadside_encryption_backend{backend="openssl"} 1',
        'broadside_encryption_backend{backend="node"} 0',
      ]),
    );
  });

  it('read the depth of the outbox at the time of asking', async () => {
    const metrics = createMetrics();
    let rows = 12;
    metrics.sampleOutboxRows(async () => rows);
    expect(await lines(metrics)).toContain('broadside_outbox_rows 12');
    rows = 3;
    expect(await lines(metrics)).toContain('broadside_outbox_rows 3');
  });

  it.each([
    ['nobody reads it', null],
    ['Postgres refuses', () => Promise.reject(new Error('away'))],
    ['Postgres is silent', () => new Promise<number>(() => {})],
  ])('leave the depth of the outbox out, and nothing else, while %s', async (_when, read) => {
    vi.useFakeTimers();
    const metrics = createMetrics();
    metrics.sampleOutboxRows(async () => 12);
    await lines(metrics);
    if (read === null)
      return void expect(await lines(createMetrics())).not.toContain('broadside_outbox_rows 0');
    metrics.sampleOutboxRows(read);
    const asked = lines(metrics);
    await vi.advanceTimersByTimeAsync(1_000);
    const exposed = await asked;
    expect(exposed.filter((line) => line.startsWith('broadside_outbox_rows'))).toEqual([]);
    expect(exposed).toContain('broadside_record_rows_total 0');
  });

  it('describe the process too: CPU, memory and the event loop', async () => {
    const { body, contentType } = await createMetrics().exposition();
    expect(contentType).toMatch(/^text\/plain/);
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_seconds',
    ]) {
      expect(body).toContain(`# TYPE ${name}`);
    }
    // What would end the process, now and then, where it is read.
    expect(body).not.toMatch(/nodejs_active_(handles|requests)/);
    expect(body).toContain('nodejs_active_resources_total');
  });

  it('of two roles in one process are two registers', async () => {
    const [first, second] = [createMetrics(), createMetrics()];
    first.workerThreadLost();
    expect(await lines(second)).toContain('broadside_worker_threads_lost_total 0');
  });
});
