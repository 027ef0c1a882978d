// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import type { SendBlock } from '../../../../../engine/worker/protocol.ts';
import { buildSubscriptions, readDelivery } from '../../../../support/builders.ts';
import {
  blockSent,
  createLogStore,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../../../../support/engine-harness.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { appBody, bearer, callAs, createMember, openWithMember } from '../../../support.ts';

/** More than one block. */
const READERS = 1_100;
const wrong = {
  ...{ name: 'Ferries', title: 'The ferries stop', body: 'From noon on.', topic: 'ferries' },
  ...{ url: 'https://news.example.com/ferries', ttl_seconds: 7_200, urgency: 'high' },
};
const right = { title: 'The ferries sail', body: 'An earlier notification was wrong.', url: wrong.url };

describe('the correction of a delivery', async () => {
  /** Whom the push service was asked to reach, by the delivery's identifier. */
  const asked = new Map<string, number[]>();
  let held: Promise<void> | null = null;

  const { api, member, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const path = `/apps/${identifier}/deliveries`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, READERS);
  const engine = await startEngineHarness({
    database: api.database,
    logStore: createLogStore(),
    sender: {
      // Every tenth is not reached.
      sendBlock: async (task: SendBlock) => {
        const seqs = wantedSeqs(task);
        const { delivery } = JSON.parse(String(Buffer.from(task.notification.plaintext))).notification.data;
        asked.set(delivery, [...(asked.get(delivery) ?? []), ...seqs]);
        await held;
        return blockSent(seqs, (seq) => (seq % 10 === 0 ? 'rejected' : 'accepted'));
      },
    },
  });
  afterAll(() => engine.close());

  const create = async (changes: object = {}): Promise<number> => {
    const made = await call('POST', path, { ...wrong, ...changes });
    expect(made.statusCode, made.body).toBe(201);
    return made.json().data.id;
  };
  const ended = (id: number) =>
    until('it to end', async () =>
      ['partial', 'success'].includes((await readDelivery(api.database, id as never)).status),
    );
  const correct = (id: number, changes: object = {}, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: 'POST',
      url: `/api/v1/client${path}/${id}/correction`,
      headers: { ...bearer(member.token), ...headers },
      payload: { ...right, ...changes },
    });
  const read = async (id: number) => (await call('GET', `${path}/${id}`)).json().data;
  const message = async (id: number) => {
    const [row] = await api.database.query<{ plaintext: Buffer }>(
      'SELECT plaintext FROM deliveries WHERE id = $1',
      [id],
    );
    return JSON.parse(String(row?.plaintext)).notification;
  };

  it('says and reaches what the first one should have', async () => {
    const id = await create();
    await ended(id);
    const made = await correct(id);
    expect(made.statusCode, made.body).toBe(201);
    const { data } = made.json();
    expect(data).toMatchObject({
      ...{ name: 'Correction: Ferries', title: right.title, corrects_delivery_id: id, status: 'pending' },
      ...{ ttl_seconds: 7_200, urgency: 'high', ignore_frequency_cap: true, segment_id: null },
    });
    await ended(data.id);
    expect(await read(data.id)).toMatchObject({ total_subscribers: 990, success_count: 990 });
    expect(await message(data.id)).toMatchObject({ tag: 'ferries', renotify: true, title: right.title });
    expect(await message(id)).not.toHaveProperty('renotify');
    expect((await read(id)).correction).toEqual({ delivery_id: data.id, status: 'success', seen_before: 0 });
    expect((await read(data.id)).correction).toBeNull();
  });

  it('takes the tag of the first one where that has no topic, also for the correction of a correction', async () => {
    const id = await create({ topic: undefined });
    await ended(id);
    const { tag } = await message(id);
    expect(tag).toMatch(/^dlv_/);
    const first = (await correct(id)).json().data.id;
    await ended(first);
    const second = (await correct(first, { title: 'Now it is right' })).json().data.id;
    expect([(await message(first)).tag, (await message(second)).tag]).toEqual([tag, tag]);
    await ended(second);
  });

  it('stops what is left, waits for what is in flight, and is for all whom that reached', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const id = await create({ rate_per_minute: 100_000 });
    const { identifier } = await read(id);
    await until('a block to be in flight', async () => asked.has(identifier));
    const { id: correction, identifier: corrected } = (await correct(id)).json().data;
    expect((await read(id)).status).toBe('cancelled');
    await until('the planner to have looked', async () => (await read(correction)).status === 'queued');
    expect((await read(correction)).total_subscribers).toBe(0);
    held = null;
    resolve();
    await ended(correction);
    const reached = asked.get(identifier)?.filter((seq) => seq % 10 !== 0);
    expect(reached?.length).toBeGreaterThan(0);
    // Blocks are sent side by side, in any order.
    const bySeq = (a: number, b: number): number => a - b;
    expect(asked.get(corrected)?.toSorted(bySeq)).toEqual(reached?.toSorted(bySeq));
  });

  it('is also for those whose messages an engine sent and could not record, so that they are in no count', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const id = await create();
    const { identifier } = await read(id);
    await until('a block to be in flight', async () => asked.has(identifier));
    const { id: correction, identifier: corrected } = (await correct(id)).json().data;
    // As another engine finds it after the lease of one that died.
    await api.database.query(
      `UPDATE shards SET state = 'released', lease_owner = NULL, lease_epoch = lease_epoch + 1,
         lost_leases = lost_leases + 1, due_at = now() - interval '1 hour' WHERE delivery_id = $1 AND state = 'running'`,
      [id],
    );
    held = null;
    resolve();
    await ended(correction);
    expect((await read(id)).success_count).toBe(0);
    const sent = asked.get(identifier) ?? [];
    expect(sent.length).toBeGreaterThan(0);
    const missed = sent.filter((seq) => !asked.get(corrected)?.includes(seq));
    expect(missed).toEqual([]);
    const { total_subscribers: total, success_count: success, failed_count: failed } = await read(correction);
    expect(success + failed).toBe(total);
    expect(asked.get(corrected)).toHaveLength(total);
  });

  it('reaches them whatever the app’s frequency cap and quiet hours say now', async () => {
    const id = await create();
    await ended(id);
    const app = path.replace('/deliveries', '');
    const before = (await call('GET', app)).json().data;
    const limits = { frequency_cap_max_notifications: 1, frequency_cap_window_minutes: 360 };
    const asleep = { quiet_hours: { from: '00:00', to: '23:59', time_zone: 'app' } };
    const changed = await call('PUT', app, appBody({ ...limits, ...asleep }));
    expect(changed.statusCode, changed.body).toBe(200);
    const { id: correction, scheduled_at } = (await correct(id)).json().data;
    expect(scheduled_at).toBeNull();
    await ended(correction);
    expect(await read(correction)).toMatchObject({ success_count: 990, capped_subscribers: 0 });
    await call('PUT', app, appBody({ quiet_hours: before.quiet_hours }));
  });

  it('is made once: of two at the same moment one is refused with the other', async () => {
    const id = await create();
    await ended(id);
    const answers = await Promise.all([correct(id), correct(id), correct(id)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422]);
    const made = answers.find(({ statusCode }) => statusCode === 201)?.json().data.id;
    const refused = answers.find(({ statusCode }) => statusCode === 422);
    expect(refused?.json().errors.status).toEqual([
      `Delivery ${made} corrects it already: correct that one, or cancel it first.`,
    ]);
    await ended(made);
  });

  it('is answered again under its key, and leaves the key free where it is refused', async () => {
    const id = await create();
    await ended(id);
    const key = { 'idempotency-key': `correct-${id}` };
    const first = await correct(id, {}, key);
    const again = await correct(id, {}, key);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await ended(first.json().data.id);
  });

  it('is refused for what reached nobody, and found only by its own organization', async () => {
    const planned = await create({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await correct(planned)).json().errors.status).toEqual([
      'The delivery has not started: change it, or cancel it.',
    ]);
    const rehearsal = await create({ rehearsal: true });
    await ended(rehearsal);
    expect((await correct(rehearsal)).json().errors.status).toEqual([
      'The delivery is a rehearsal and reached nobody.',
    ]);
    expect((await correct(999_999)).statusCode).toBe(404);
    const stranger = callAs(api.app, await createMember(api.database));
    expect((await stranger('POST', `${path}/${planned}/correction`, right)).statusCode).toBe(404);
    await call('POST', `${path}/${planned}/cancel`);
    expect((await correct(planned)).json().errors.status).toEqual([
      'The delivery has been sent to nobody yet: cancel it, and create another one.',
    ]);
  });

  it('is refused where it is too large, and nothing is stopped then', async () => {
    const id = await create();
    await ended(id);
    const tooLong = {
      url: `https://news.example.com/${'x'.repeat(2_000)}`,
      action_buttons: [1, 2].map((at) => ({
        title: `${at}`,
        url: `https://news.example.com/${'y'.repeat(1_500)}`,
      })),
    };
    const refused = await correct(id, tooLong);
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['url']]);
    expect((await read(id)).correction).toBeNull();
  });

  it('counts who saw the first text before it, if that can be known', async () => {
    const id = await create();
    await ended(id);
    const correction = (await correct(id)).json().data.id;
    api.analytics.seen = 412;
    await ended(correction);
    expect((await read(id)).correction).toMatchObject({ seen_before: 412 });
    api.analytics.keptDays = 30;
    // Sent then, and corrected today.
    await api.database.query(`UPDATE deliveries SET started_at = now() - interval '31 days' WHERE id = $1`, [
      id,
    ]);
    expect((await read(id)).correction).toMatchObject({ seen_before: null });
    api.analytics.keptDays = null;
    api.analytics.away = true;
    expect((await read(id)).correction).toMatchObject({ delivery_id: correction, seen_before: null });
    api.analytics.away = false;
  });

  it('is in the audit log, with the delivery that it corrects', async () => {
    const id = await create();
    await ended(id);
    const correction = (await correct(id)).json().data.id;
    const [entry] = await api.database.query<{ detail: object; subject: string }>(
      `SELECT detail FROM audit_log WHERE action = 'delivery.corrected' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry?.detail).toEqual({ name: 'Correction: Ferries', corrects: id });
    await ended(correction);
  });
});
