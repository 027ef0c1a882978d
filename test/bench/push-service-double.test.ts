// tier: system
import { Agent } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import webpush from 'web-push';
import { percentiles } from '../../bench/stand/arrival-percentiles.ts';
import { createArrivalTimes } from '../support/push-service/arrival-times.ts';
import type { PushServiceOptions } from '../support/push-service/options.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';

const { publicKey, privateKey } = webpush.generateVAPIDKeys();
const vapidDetails = { subject: 'mailto:push@example.org', publicKey, privateKey };
const payload = JSON.stringify({ notification: { title: 'Storm warning' } });

async function startDouble(options: PushServiceOptions): Promise<PushServiceDouble> {
  const push = await startPushService(options);
  onTestFinished(() => push.stop());
  return push;
}

/** By HTTP/1.1, the only one that `web-push` speaks. @returns the status; null where no answer came */
async function send(push: PushServiceDouble, index: number, change = {}): Promise<number | null> {
  const agent = new Agent({ ca: push.ca });
  const { endpoint, p256dh, auth } = push.subscriber(index);
  const sending = webpush.sendNotification({ endpoint, keys: { p256dh, auth } }, payload, {
    ...{ TTL: 60, vapidDetails, agent },
    ...change,
  });
  return sending.then(
    ({ statusCode }) => statusCode,
    (error: { statusCode?: number }) => error.statusCode ?? null,
  );
}

describe('the push service double over HTTP/1.1', () => {
  it('accepts, decrypts and counts as it does over HTTP/2, at the same port', async () => {
    const push = await startDouble({ http1: true, verify: 'all' });
    for (const index of [0, 1, 2, 3]) expect(await send(push, index)).toBe(201);
    expect(await send(push, 0)).toBe(201);
    const ledger = await push.ledger();
    expect(ledger).toMatchObject({ accepted: 5, distinct: 4, duplicates: 1, decrypted: 5, decryptFailed: 0 });
    expect((await push.arrivals()).counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  it('makes the same refusals as over HTTP/2', async () => {
    const push = await startDouble({ http1: true });
    const other = webpush.generateVAPIDKeys();
    const stolen = { ...vapidDetails, privateKey: other.privateKey };
    expect(await send(push, 0, { vapidDetails: stolen })).toBe(403);
    expect(await push.ledger()).toMatchObject({ accepted: 0, rejected: { 'vapid-signature-invalid': 1 } });
  });

  it('is not offered unless enabled', async () => {
    const push = await startDouble({});
    // Node's own word for a protocol that is not served.
    expect(await send(push, 0)).toBe(403);
    expect(await push.ledger()).toMatchObject({ received: 0 });
  });
});

describe('the times of arrival', () => {
  it('show when half, and 99 in 100, of the messages had come', () => {
    let now = 1_000;
    const times = createArrivalTimes(() => now);
    for (let message = 0; message < 100; message++) {
      now = message === 99 ? 9_000 : 1_000 + message;
      times.note();
    }
    const until = percentiles(times.read(), 900);
    expect(until(0.5)).toBe(1_050 - 900);
    expect(until(0.99)).toBe(1_100 - 900);
    expect(until(1)).toBe(9_010 - 900);
    expect(percentiles({ startedAtMs: 0, stepMs: 10, counts: [] }, 0)(0.5)).toBeNaN();
  });
});
