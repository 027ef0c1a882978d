// tier: system
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver } from '../../bench/stand/deliver.ts';
import { type Stand, startStand } from '../../bench/stand/stand.ts';
import { type Collector, type ReceivedSpan, startCollector } from '../support/collector.ts';
import { until } from '../support/engine-harness.ts';

const SUBSCRIBERS = 3_000;
const CREATE = 'POST /api/v1/client/apps/:identifier/deliveries';

const tracedTo = ({ url }: Collector) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` });

/** A Broadside that traces to the collector. */
const startTraced = (collector: Collector): Promise<Stand> =>
  startStand({
    subscribers: SUBSCRIBERS,
    verify: 'none',
    kafkaBrokers: null,
    env: {
      ...tracedTo(collector),
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=news%2Cdaily',
      WORKER_THREADS: '1',
      SHARD_BLOCKS: '1',
    },
    onStep: () => {},
  });

/** One for both: the second delivery goes through the same Broadside, started again. */
let stand: Stand;
afterAll(() => stand?.close());

describe('the trace of a delivery over Postgres and pg-boss', () => {
  let collector: Collector;
  beforeAll(async () => {
    collector = await startCollector();
    stand = await startTraced(collector);
    const { books } = await deliver(stand, () => {});
    expect(books.delivery.success_count).toBe(SUBSCRIBERS);
    // A clean stop sends what is queued: nothing has to be waited for.
    expect(await stand.broadside.stop()).toBe(0);
  });
  afterAll(() => collector.close());

  const childrenOf = (parent: ReceivedSpan | undefined): readonly ReceivedSpan[] =>
    collector.spans().filter(({ parentSpanId }) => parentSpanId === parent?.spanId);

  it('is one, from its request over plan, shards and blocks to the insert of its outcomes', () => {
    const [create, ...more] = collector.named(CREATE);
    expect(more).toEqual([]);
    expect(create).toMatchObject({ parentSpanId: '', attributes: { 'http.response.status_code': 201 } });
    const [plan] = childrenOf(create);
    expect(plan).toMatchObject({
      name: 'plan delivery',
      attributes: { 'broadside.ending': 'planned', 'broadside.shards': 3, 'broadside.targets': SUBSCRIBERS },
    });
    const shards = childrenOf(plan);
    expect(shards.map(({ name }) => name)).toEqual(Array(3).fill('dispatch shard'));
    const blocks = shards.flatMap(childrenOf).filter(({ name }) => name === 'send block');
    expect(blocks).toHaveLength(3);
    const sent = blocks.map(({ attributes }) => Number(attributes['broadside.targets']));
    expect(sent.reduce((sum, one) => sum + one, 0)).toBe(SUBSCRIBERS);
    const records = collector.named('record batch');
    const named = records.flatMap(({ links }) => links.map(({ spanId }) => spanId));
    expect(named.toSorted()).toEqual(blocks.map(({ spanId }) => spanId).toSorted());
    for (const record of records) expect(named).toContain(record.parentSpanId);
    const whole = [create, plan, ...shards, ...blocks, ...records];
    expect(new Set(whole.map((span) => span?.traceId)).size).toBe(1);
    expect(collector.spans().filter(({ traceId }) => traceId === create?.traceId)).toHaveLength(whole.length);
  });

  it('contains no one’s endpoint, text, token or address', () => {
    const exported = collector.everything();
    expect(exported).toContain('broadside.shard_id');
    const endpoint = stand.pushService.subscriber(0).endpoint;
    const secrets = [new URL(endpoint).host, 'Storm', 'news.example', 'reader-', 'Bearer', '|'];
    for (const secret of [...secrets, stand.appIdentifier]) expect(exported, secret).not.toContain(secret);
  });

  it('is sent where the settings say, with the headers they say', () => {
    expect(collector.requests()[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-tenant': 'news,daily', 'content-type': 'application/json' },
    });
  });
});

describe('a delivery whose trace endpoint does not answer', () => {
  it('ends as ever, and its Broadside stops in time', async () => {
    const collector = await startCollector(null);
    try {
      await stand.restart(tracedTo(collector));
      const { books } = await deliver(stand, () => {});
      expect(books.delivery).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
      await until('an export to hang', () => collector.requests().length > 0);
      expect(await stand.broadside.stop()).toBe(0);
    } finally {
      await collector.close();
    }
  });
});
