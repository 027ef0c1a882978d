// tier: system
import { once } from 'node:events';
import { constants } from 'node:http2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../support/push-service/faults.ts';
import { createPlainSender, type PlainSender } from '../support/push-service/plain-sender.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';

const [FCM, WNS] = [0, 1] as const;
const POISONED = 1_000;

let push: PushServiceDouble;
let sender: PlainSender;

beforeAll(async () => {
  push = await startPushService({
    origins: [{ kind: 'fcm' }, { kind: 'wns' }],
    poisoned: [{ from: POISONED, to: POISONED + 2, status: 403 }],
  });
});
beforeEach(async () => {
  await push.clearFaults();
  await push.mark('test');
  sender?.close();
  sender = createPlainSender(push.ca);
});
afterAll(async () => {
  sender.close();
  await push.stop();
});

const send = (index: number, patienceMs = 20_000) => sender.send(push.subscriber(index), { patienceMs });
const statuses = async (indexes: readonly number[]) => {
  const endings = await Promise.all(indexes.map((index) => send(index)));
  return endings.map((ending) => (ending.kind === 'answered' ? ending.status : ending.kind));
};
const evens = (count: number) => Array.from({ length: count }, (_, at) => at * 2);

describe('an answer on request', () => {
  it.each([400, 401, 403, 404, 406, 410, 413, 429, 500, 503])(
    'is %i, and nothing was accepted',
    async (status) => {
      await push.setFaults([{ action: { kind: 'status', status, retryAfter: 7, reason: 'because' } }]);
      expect(await send(FCM)).toMatchObject({ status, headers: { 'retry-after': '7' }, body: 'because' });
      expect(await push.ledger()).toMatchObject({
        received: 1,
        accepted: 0,
        statuses: { fcm: { [status]: 1 } },
      });
    },
  );

  it.each([200, 202])('may be another acceptance: %i', async (status) => {
    await push.setFaults([{ action: { kind: 'status', status } }]);
    expect(await send(FCM)).toMatchObject({ status });
    expect(await push.ledger()).toMatchObject({ accepted: 1, decrypted: 1 });
  });

  it('is each service’s own when it throttles', async () => {
    await push.setFaults([{ action: { kind: 'throttle', retryAfter: 'Fri, 31 Dec 2100 23:59:59 GMT' } }]);
    expect(await statuses([FCM, WNS])).toEqual([429, 406]);
    expect(await send(WNS)).toMatchObject({ headers: { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' } });
  });

  it('never hides a mistake of the sender', async () => {
    await push.setFaults([{ action: { kind: 'status', status: 503 } }]);
    expect(await sender.send(push.subscriber(FCM), { headers: { ttl: null } })).toMatchObject({
      status: 400,
    });
  });
});

describe('no answer on request', () => {
  const accepted = async () => (await push.ledger()).accepted;

  it('is silence, whether the message was accepted before or not', async () => {
    await push.setFaults([
      { action: { kind: 'hang' }, to: 2 },
      { action: { kind: 'hang' }, afterAccept: true },
    ]);
    expect(await send(FCM, 100)).toEqual({ kind: 'silence' });
    expect(await accepted()).toBe(0);
    expect(await send(FCM + 2, 100)).toEqual({ kind: 'silence' });
    expect(await accepted()).toBe(1);
  });

  it.each(['REFUSED_STREAM', 'INTERNAL_ERROR', 'ENHANCE_YOUR_CALM'] as const)(
    'is the stream reset with %s, and the connection lives',
    async (code) => {
      await push.setFaults([{ action: { kind: 'stream-reset', code }, times: 1 }]);
      expect(await send(FCM)).toEqual({ kind: 'stream-closed', code: constants[`NGHTTP2_${code}`] });
      expect(await accepted()).toBe(0);
      const session = sender.session(push.subscriber(FCM).endpoint);
      expect(await send(FCM)).toMatchObject({ status: 201 });
      expect(sender.session(push.subscriber(FCM).endpoint) === session).toBe(true);
    },
  );

  it('is the connection reset under all that is in flight on it', async () => {
    await push.setFaults([
      { action: { kind: 'connection-reset' }, indexes: [2], afterAccept: true },
      { action: { kind: 'hang' }, indexes: [0] },
    ]);
    // On a connection still busy with its settings the client may read the reset as an end.
    await send(4);
    const failed = once(sender.session(push.subscriber(FCM).endpoint), 'error');
    const endings = await Promise.all([send(0), send(2)]);
    expect(endings.map((ending) => ending.kind)).toEqual(['stream-closed', 'stream-closed']);
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(await accepted()).toBe(2);
    expect(await send(4)).toMatchObject({ status: 201 });
  });
});

describe('GOAWAY', () => {
  it('finishes its requests where it is graceful, and names the last one', async () => {
    await push.setFaults([
      { action: { kind: 'latency', ms: 150 }, indexes: [0] },
      { action: { kind: 'goaway', manner: 'graceful' }, indexes: [2] },
    ]);
    const session = sender.session(push.subscriber(FCM).endpoint);
    const goaway = once(session, 'goaway');
    expect(await statuses([0, 2])).toEqual([201, 201]);
    expect((await goaway).slice(0, 2)).toEqual([constants.NGHTTP2_NO_ERROR, 3]);
    expect(await statuses([4])).toEqual([201]);
    expect(sender.session(push.subscriber(FCM).endpoint) === session).toBe(false);
    expect(await push.ledger()).toMatchObject({ accepted: 3, distinct: 3 });
  });

  it('refuses the rest where it is abrupt, and accepted none of it', async () => {
    await push.setFaults([
      { action: { kind: 'latency', ms: 150 }, indexes: [0] },
      { action: { kind: 'goaway', manner: 'abrupt' }, indexes: [2] },
    ]);
    const goaway = once(sender.session(push.subscriber(FCM).endpoint), 'goaway');
    const endings = await Promise.all([send(0), send(2), send(4)]);
    const refused = { kind: 'stream-closed', code: constants.NGHTTP2_REFUSED_STREAM };
    expect(endings).toMatchObject([{ status: 201 }, refused, refused]);
    expect((await goaway).slice(0, 2)).toEqual([constants.NGHTTP2_NO_ERROR, 1]);
    expect(await push.ledger()).toMatchObject({ accepted: 1 });
    expect((await push.indexes(0, 5)).accepted).toEqual([1, 0, 0, 0, 0]);
  });
});

describe('a connection', () => {
  it('may be set to allow fewer streams at once, also when it is open already', async () => {
    expect(await statuses([FCM])).toEqual([201]);
    const session = sender.session(push.subscriber(FCM).endpoint);
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
    const changed = once(session, 'remoteSettings');
    await push.setFaults({ rules: [], maxConcurrentStreams: 2 });
    expect(await changed).toMatchObject([{ maxConcurrentStreams: 2 }]);
    sender.close();
    await statuses([FCM]);
    const next = sender.session(push.subscriber(FCM).endpoint);
    expect(next.remoteSettings.maxConcurrentStreams).toBe(2);
  });
});

describe('latency', () => {
  it('comes before another fault, and before nothing', async () => {
    const ms = 120;
    await push.setFaults([
      { action: { kind: 'latency', ms, jitterMs: 30 } },
      { action: { kind: 'status', status: 500 }, indexes: [0] },
    ]);
    const before = performance.now();
    expect(await statuses([0, 2])).toEqual([500, 201]);
    expect(performance.now() - before).toBeGreaterThanOrEqual(ms - 1);
  });

  it('accepts nothing for a sender that did not wait', async () => {
    await push.setFaults([{ action: { kind: 'latency', ms: 200 } }]);
    expect(await send(FCM, 50)).toEqual({ kind: 'silence' });
    await expect.poll(async () => (await push.ledger()).rejected).toEqual({ 'sender-left': 1 });
    expect(await push.ledger()).toMatchObject({ accepted: 0 });
  });
});

it('outlives senders that leave at any moment', async () => {
  await push.setFaults([{ action: { kind: 'latency', ms: 1, jitterMs: 10 }, rate: 0.5 }]);
  await Promise.all(evens(400).map((index, at) => send(index, 1 + (at % 12))));
  await push.clearFaults();
  expect(await send(WNS)).toMatchObject({ status: 201 });
});

describe('a rule', () => {
  const busy: FaultRule['action'] = { kind: 'status', status: 503 };

  it.each<[string, Partial<FaultRule>, number[]]>([
    ['a range', { from: 2, to: 4 }, [201, 503, 503, 201, 201]],
    ['named indexes', { indexes: [1, 4] }, [503, 201, 201, 503, 201]],
    ['a service', { service: 'wns' }, [503, 201, 503, 201, 503]],
    ['the next few', { times: 2 }, [503, 503, 201, 201, 201]],
  ])('is for %s', async (_, where, expected) => {
    await push.setFaults([{ action: busy, ...where }]);
    const seen = [];
    for (const index of [1, 2, 3, 4, 5]) seen.push(...(await statuses([index])));
    expect(seen).toEqual(expected);
  });

  it('may spare the second attempt', async () => {
    await push.setFaults([{ action: busy, attempts: 1 }]);
    expect([...(await statuses([0, 2])), ...(await statuses([0, 2]))]).toEqual([503, 503, 201, 201]);
    expect(await push.indexes(0, 3)).toEqual({ from: 0, received: [2, 0, 2], accepted: [1, 0, 1] });
  });

  it('may strike at a rate, the same messages every time, others at the next attempt', async () => {
    await push.setFaults([{ action: busy, rate: 0.5 }]);
    const first = await statuses(evens(40));
    const second = await statuses(evens(40));
    const struck = first.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(8);
    expect(struck).toBeLessThan(32);
    expect(second).not.toEqual(first);
    await push.mark('again');
    expect(await statuses(evens(40))).toEqual(first);
  });

  it('is gone with DELETE', async () => {
    await push.setFaults([{ action: busy }]);
    await push.clearFaults();
    expect(await statuses([FCM])).toEqual([201]);
  });

  it('is refused where it contradicts itself, or is invalid', async () => {
    const refused: FaultRule = {
      action: { kind: 'stream-reset', code: 'REFUSED_STREAM' },
      afterAccept: true,
    };
    await expect(push.setFaults([refused])).rejects.toThrow('cannot be accepted');
    await expect(push.setFaults([{ action: { kind: 'status', status: 99 } }])).rejects.toThrow(
      'faults/rules',
    );
  });
});

describe('a poisoned endpoint', () => {
  const indexes = [POISONED, POISONED + 1, POISONED + 2];

  it('accepts nothing, whatever else is set, and not after a restart either', async () => {
    await push.setFaults([{ action: { kind: 'hang' }, afterAccept: true, from: POISONED, to: POISONED + 2 }]);
    expect(await statuses(indexes)).toEqual([403, 403, 201]);
    await push.restart();
    sender.close();
    sender = createPlainSender(push.ca);
    expect(await statuses(indexes)).toEqual([403, 403, 201]);
    expect((await push.ledger()).accepted).toBe(2);
  });
});
