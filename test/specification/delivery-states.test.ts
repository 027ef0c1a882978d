// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRelayStep } from '../../engine/adapters/postgres/relay.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import { deliveryStatuses } from '../../engine/contract/delivery.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import type { Outcome } from '../../engine/contract/outcome.ts';
import type { BlockSender } from '../../engine/dispatch/ports.ts';
import { appBody, callAs, createMember, createTestApi, deliveryBody, type TestApi } from '../api/support.ts';
import { buildSubscriptions } from '../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  type EngineHarnessOptions,
  startEngineHarness,
  until,
} from '../support/engine-harness.ts';
import { createMemoryLog } from '../support/memory-log/log.ts';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const total = { total_subscribers: 0, success_count: 0, failed_count: 0, capped_subscribers: 0 };
/** A cancel is noticed within a second; anything later came too late. */
const STOP_WINDOW_MS = 2_000;

describe('Delivery status', () => {
  let api: TestApi;
  let call: ReturnType<typeof callAs>;
  let path: string;
  let appId: AppId;
  let logStore: ReturnType<typeof createLogStore>;
  let engines: EngineHarness[];
  beforeEach(async () => {
    api = await createTestApi();
    call = callAs(api.app, await createMember(api.database));
    path = `/apps/${(await call('POST', '/apps', appBody())).json().data.identifier}/deliveries`;
    appId = (await api.database.query<{ id: AppId }>(`SELECT id FROM apps`))[0]?.id as AppId;
    logStore = createLogStore();
    engines = [];
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close(500)));
    await api.close();
  });

  const subscribers = (count: number): Promise<void> => buildSubscriptions(api.database, appId, count);
  const startEngine = async (sender: BlockSender, options: Partial<EngineHarnessOptions> = {}) => {
    engines.push(await startEngineHarness({ database: api.database, logStore, sender, ...options }));
  };
  const create = async (changes: object = {}): Promise<number> => {
    const answer = await call('POST', path, deliveryBody(changes));
    expect(answer.statusCode).toBe(201);
    return answer.json().data.id;
  };
  const read = async (id: number) => (await call('GET', `${path}/${id}`)).json().data;
  const cancel = (id: number) => call('POST', `${path}/${id}/cancel`);
  const reaches = (id: number, status: string) =>
    until(`status ${status}`, async () => (await read(id)).status === status);
  const runs = async (decide: (seq: number) => Outcome): Promise<number> => {
    await startEngine(createFakeSender(decide));
    return create();
  };
  const shardStates = async (): Promise<string[]> =>
    (await api.database.query<{ state: string }>(`SELECT DISTINCT state FROM shards ORDER BY 1`)).map(
      ({ state }) => state,
    );
  /** A sender whose blocks wait until the test releases them. */
  const heldSender = () => {
    const inner = createFakeSender(() => 'accepted');
    const held: (() => void)[] = [];
    let open = false;
    const sendBlock: BlockSender['sendBlock'] = async (task) => {
      if (!open) await new Promise<void>((resolve) => held.push(resolve));
      return inner.sendBlock(task);
    };
    const letGo = (): void => {
      open = true;
      for (const go of held) go();
    };
    return { sent: inner.sent, held, sendBlock, letGo };
  };

  it('Allowed values', () => {
    const values = [
      'pending',
      'scheduled',
      'queued',
      'processing',
      'partial',
      'success',
      'failed',
      'cancelled',
    ];
    expect([...deliveryStatuses].sort()).toEqual(values.sort());
  });

  it('(none) | Create delivery | valid body | `pending`, `scheduled` or `queued` | 201 response carries the new delivery', async () => {
    const now = await call('POST', path, deliveryBody());
    const later = await call('POST', path, deliveryBody({ scheduled_at: inMs(3_600_000) }));
    expect([now.statusCode, later.statusCode]).toEqual([201, 201]);
    expect(now.json().data).toMatchObject({ status: 'pending', queued_at: null, ...total });
    expect(later.json().data).toMatchObject({ status: 'scheduled', queued_at: null, ...total });
  });

  it('initial state | worker processing | asynchronous | `processing`', async () => {
    await subscribers(10);
    const sender = heldSender();
    await startEngine(sender);
    const id = await create();
    await reaches(id, 'processing');
    expect(await read(id)).toMatchObject({
      queued_at: expect.any(String),
      started_at: expect.any(String),
      completed_at: null,
      total_subscribers: 10,
    });
    sender.letGo();
  });

  it.each([
    ['success', () => 'accepted', { success_count: 10, failed_count: 0, error_message: null }],
    ['partial', (seq) => (seq < 4 ? 'rejected' : 'accepted'), { success_count: 6, failed_count: 4 }],
    ['failed', () => 'rejected', { success_count: 0, failed_count: 10, error_message: /\w/ }],
  ] as [string, (seq: number) => Outcome, object][])(
    '`processing` | worker completion | asynchronous | `%s` | counters and completed_at are filled',
    async (status, decide, counts) => {
      await subscribers(10);
      const id = await runs(decide);
      await reaches(id, status);
      const { error_message, ...rest } = counts as { error_message?: RegExp | null };
      const delivery = await read(id);
      expect(delivery).toMatchObject({ total_subscribers: 10, completed_at: expect.any(String), ...rest });
      if (error_message === null) expect(delivery.error_message).toBeNull();
      else if (error_message !== undefined) expect(delivery.error_message).toMatch(error_message);
    },
  );

  describe('not completed | Cancel delivery | has not completed and can be cancelled | `cancelled` | 200 with the refreshed delivery', () => {
    it('pending: whether its message is on its way or on the log, it is not planned', async () => {
      await subscribers(10);
      const [pending, queued] = [await create(), await create()];
      expect((await cancel(pending)).json().data).toMatchObject({ status: 'cancelled', completed_at: null });
      const log = createMemoryLog({ store: logStore, clock: systemClock });
      const options = { topics: ['deliveries'], outcomesPerBatch: 1, outcomesDelayMs: 0 } as const;
      await createRelayStep(api.database, log, options)();
      expect((await read(queued)).status).toBe('queued');
      expect((await cancel(queued)).json().data).toMatchObject({ status: 'cancelled', ...total });
      const sender = createFakeSender(() => 'accepted');
      await startEngine(sender);
      await reaches(await create(), 'success');
      expect([sender.sent.size, (await read(pending)).status, (await read(queued)).status]).toEqual([
        10,
        'cancelled',
        'cancelled',
      ]);
      expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    });

    it('scheduled: it never starts', async () => {
      await subscribers(10);
      const sender = createFakeSender(() => 'accepted');
      await startEngine(sender);
      const at = inMs(700);
      const [cancelled, kept] = [await create({ scheduled_at: at }), await create({ scheduled_at: at })];
      expect((await cancel(cancelled)).statusCode).toBe(200);
      await reaches(kept, 'success');
      expect(await read(cancelled)).toMatchObject({ status: 'cancelled', started_at: null });
      expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    });

    it('processing: the running blocks finish, none is started, and the counts show the sent messages', async () => {
      await subscribers(12_288);
      const sender = heldSender();
      await startEngine(sender, { shardBlocks: 3 });
      const id = await create();
      await until('four blocks in flight', () => sender.held.length === 4);
      const answer = await cancel(id);
      expect([answer.statusCode, answer.json().data.status]).toEqual([200, 'cancelled']);
      await sleep(STOP_WINDOW_MS);
      sender.letGo();
      await until('the shards to stop', async () => (await shardStates()).join() === 'stopped');
      expect(sender.sent.size).toBe(4_096);
      expect(await read(id)).toMatchObject({
        status: 'cancelled',
        completed_at: null,
        total_subscribers: 12_288,
        success_count: 4_096,
        failed_count: 0,
        updated_at: answer.json().data.updated_at,
      });
    });

    it('processing: the end of a block reports the cancel to its shard at once', async () => {
      await subscribers(8_192);
      const sender = heldSender();
      await startEngine(sender, { shardBlocks: 8, releaseWindow: 1 });
      const id = await create();
      await until('four blocks in flight', () => sender.held.length === 4);
      await cancel(id);
      sender.letGo();
      await until('the shard to stop', async () => (await shardStates()).join() === 'stopped');
      // The first of the four to end releases its slot only after the cancel was reported.
      expect(sender.sent.size).toBe(4_096);
    });

    it('processing: targets waiting for another attempt are not retried', async () => {
      await subscribers(10);
      const sender = createFakeSender((seq) => (seq < 4 ? 'throttled' : 'accepted'));
      await startEngine(sender, { retryBaseMs: 3_000, maxAttempts: 5 });
      const id = await create();
      await until('the shard to wait', async () => (await shardStates()).join() === 'waiting');
      await cancel(id);
      expect(await shardStates()).toEqual(['stopped']);
      expect(await read(id)).toMatchObject({ success_count: 6, failed_count: 0, total_subscribers: 10 });
    });

    it('one of two cancels at once wins', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await create();
        const answers = await Promise.all([cancel(id), cancel(id)]);
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
      }
      const [noted] = await api.database.query<{ count: number }>(
        `SELECT count(*) FROM audit_log WHERE action = 'delivery.cancelled'`,
      );
      expect(noted?.count).toBe(5);
    });

    it('a cancel that meets the completion comes before it or after it, and the status says which', async () => {
      await subscribers(3);
      await startEngine(createFakeSender(() => 'accepted'));
      for (let round = 0; round < 10; round++) {
        const id = await create();
        await sleep(round * 15);
        const { statusCode } = await cancel(id);
        if (statusCode === 422) await reaches(id, 'success');
        await until('its shards to end', async () => !(await shardStates()).includes('running'));
        const { status, success_count: sent, total_subscribers } = await read(id);
        expect([statusCode, status]).toEqual(statusCode === 200 ? [200, 'cancelled'] : [422, 'success']);
        expect(sent).toBeLessThanOrEqual(total_subscribers);
      }
    });
  });

  it('finished or not cancellable | Cancel delivery | unchanged | 422 with a human-readable message', async () => {
    const id = await runs(() => 'accepted');
    await reaches(id, 'success');
    const before = await read(id);
    const late = await cancel(id);
    const message = 'The delivery has completed (success) and cannot be cancelled any more.';
    expect([late.statusCode, late.json()]).toEqual([422, { message, errors: { status: [message] } }]);
    expect(await read(id)).toEqual(before);
    for (const status of ['partial', 'failed']) {
      await api.database.query(`UPDATE deliveries SET status = $1 WHERE id = $2`, [status, id]);
      expect([(await cancel(id)).statusCode, (await read(id)).status]).toEqual([422, status]);
    }
    const other = await create({ scheduled_at: inMs(3_600_000) });
    const again = [await cancel(other), await cancel(other)];
    expect(again.map(({ statusCode }) => statusCode)).toEqual([200, 422]);
    expect(again[1]?.json().message).toBe('The delivery is cancelled already.');
  });
});
