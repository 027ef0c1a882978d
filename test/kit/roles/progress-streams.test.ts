// tier: unit
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InternalServer, startInternalServer } from '../../../engine/kit/roles/internal-server.ts';
import {
  createProgressStreams,
  type Progress,
  type ProgressStreams,
} from '../../../engine/kit/roles/progress-streams.ts';

const MAX_STREAMS = 4;

describe('a stream of progress', () => {
  let server: InternalServer;
  let streams: ProgressStreams;
  let deliveries: Map<number, Progress & { readonly success_count: number }>;
  let reads: number[];
  let away: boolean;
  const leaving: AbortController[] = [];

  beforeEach(async () => {
    deliveries = new Map([[7, { status: 'processing', success_count: 1 }]]);
    reads = [];
    away = false;
    streams = createProgressStreams({
      read: async ({ id }) => {
        reads.push(id);
        if (away) throw new Error('Postgres is unavailable');
        return deliveries.get(id) ?? null;
      },
      everyMs: 20,
      maxStreams: MAX_STREAMS,
    });
    server = await startInternalServer({
      host: '127.0.0.1',
      port: 0,
      readiness: async () => ({}),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
      streams,
    });
  });
  afterEach(async () => {
    for (const each of leaving.splice(0)) each.abort();
    await server.close(0);
  });

  async function watch(id: number) {
    const leave = new AbortController();
    leaving.push(leave);
    const response = await fetch(`${server.url}/deliveries/${id}/progress`, { signal: leave.signal });
    let text = '';
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    };
    const ended = read().catch(() => {});
    return { response, ended, leave: () => leave.abort(), text: () => text };
  }

  it('streams the counters as they grow, and ends with the delivery', async () => {
    const { response, text, ended } = await watch(7);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    await expect.poll(text).toContain('event: progress\ndata: {"status":"processing","success_count":1}\n\n');
    deliveries.set(7, { status: 'processing', success_count: 2 });
    await expect.poll(text).toContain('"success_count":2');
    deliveries.set(7, { status: 'success', success_count: 3 });
    await ended;
    expect(text()).toMatch(/event: end\ndata: \{"status":"success","success_count":3\}\n\n$/);
    expect(streams.count()).toBe(0);
  });

  it('of a delivery that has ended is one event', async () => {
    deliveries.set(7, { status: 'cancelled', success_count: 9 });
    const { text, ended } = await watch(7);
    await ended;
    expect(text()).toBe('event: end\ndata: {"status":"cancelled","success_count":9}\n\n');
  });

  it('reads a delivery once for all its watchers, and only while there are any', async () => {
    const watchers = await Promise.all([watch(7), watch(7), watch(7)]);
    const before = reads.length;
    await expect.poll(() => reads.length).toBeGreaterThan(before + 3);
    const events = watchers.map(({ text }) => text().split('event: ').length);
    // Each got an event for about every read: not a third of them, as with a poll for each.
    expect(Math.min(...events) * 2).toBeGreaterThan(reads.length - before);
    for (const { leave } of watchers) leave();
    await expect.poll(() => streams.count()).toBe(0);
    const after = reads.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reads.length).toBeLessThanOrEqual(after + 1);
  });

  it('stays open while Postgres is unavailable, with a comment', async () => {
    const { text } = await watch(7);
    away = true;
    await expect.poll(text).toContain(': nothing new\n\n');
    away = false;
    deliveries.set(7, { status: 'processing', success_count: 5 });
    await expect.poll(text).toContain('"success_count":5');
  });

  it('is one of a bounded number: one more is refused, and a released permit is used again', async () => {
    const all = await Promise.all(Array.from({ length: MAX_STREAMS + 2 }, () => watch(7)));
    const statuses = all.map(({ response }) => response.status).toSorted();
    expect(statuses).toEqual([...Array(MAX_STREAMS).fill(200), 503, 503]);
    all.find(({ response }) => response.status === 200)?.leave();
    await expect.poll(() => streams.count()).toBe(MAX_STREAMS - 1);
    expect((await watch(7)).response.status).toBe(200);
  });

  it('leaves a quarter of all to other organizations, however many users one has', async () => {
    const own = createProgressStreams({
      read: async () => ({ status: 'processing' }),
      ...{ everyMs: 1_000, maxStreams: MAX_STREAMS, maxOfOwner: 2 },
    });
    const open = (user: number, organization: number) =>
      own.open({ id: 7 }, new ServerResponse(new IncomingMessage(new Socket())), user, organization);
    const ends = [];
    for (const user of [1, 2, 3, 4]) ends.push(await open(user, 1));
    expect(ends).toEqual(['open', 'open', 'open', 'full']);
    expect([await open(5, 2), own.count()]).toEqual(['open', 4]);
    own.close();
  });

  it('of an unknown delivery is a 404, and holds no permit', async () => {
    expect((await watch(8)).response.status).toBe(404);
    expect((await fetch(`${server.url}/deliveries/x/progress`)).status).toBe(404);
    expect(streams.count()).toBe(0);
  });

  it('ends when the listener closes', async () => {
    const { ended } = await watch(7);
    await server.close(5_000);
    await ended;
    expect(streams.count()).toBe(0);
  });
});
