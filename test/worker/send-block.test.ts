// tier: unit
import ece from 'http_ece';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyBitmap, setBit } from '../../engine/contract/bitmap.ts';
import { CHANNELS, createChannelState, readWord, word } from '../../engine/contract/channel-state.ts';
import {
  type Failure,
  failureCode,
  failures,
  type Outcome,
  outcomes,
} from '../../engine/contract/outcome.ts';
import { pushServices } from '../../engine/contract/push-service.ts';
import type { BlockSent, SendBlock } from '../../engine/worker/protocol.ts';
import {
  accept,
  answerWith,
  everyBit,
  makeNotification,
  makeRows,
  makeSender,
  makeSubscriber,
  makeTask,
  makeVapid,
  neverAnswer,
  type Reply,
  startLittlePushService,
} from './support.ts';

const MADE_UP = 'https://made-up-1.notify.windows.com';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(reply: Reply = accept) {
  const service = await startLittlePushService({ reply });
  closers.push(service.close);
  return service;
}

function sender(...given: Parameters<typeof makeSender>) {
  const made = makeSender(...given);
  closers.push(made.close);
  return made;
}

const outcomesOf = (sent: BlockSent): (Outcome | undefined)[] =>
  [...sent.outcomes].map((code) => outcomes[code]);
const failuresOf = (sent: BlockSent): (Failure | undefined)[] =>
  [...sent.failures].map((code) => failures[code]);

/** The seq that `makeRows` put into the path. */
const seqOf = (path: string): number => Number(path.split('/').at(-1));

describe('sending a block', () => {
  it('answers N for N, in order, with the messages each subscriber can read', async () => {
    const service = await start();
    const subscriber = makeSubscriber();
    const task = makeTask(makeRows(service.origin, 1_000, subscriber));
    const sent = await sender(service.ca).sendBlock(task);

    expect([...sent.seqs]).toEqual(Array.from({ length: 1_000 }, (_, seq) => seq));
    expect(new Set(outcomesOf(sent))).toEqual(new Set(['accepted']));
    expect(new Set(failuresOf(sent))).toEqual(new Set(['none']));
    expect(new Set(sent.statuses)).toEqual(new Set([201]));
    expect(new Set(sent.services)).toEqual(new Set([pushServices.indexOf('other')]));
    expect(sent.reasons).toEqual([]);
    expect(service.received.map(({ path }) => seqOf(path)).sort((a, b) => a - b)).toEqual([...sent.seqs]);
    for (const { body } of service.received) {
      const keys = {
        version: 'aes128gcm',
        privateKey: subscriber.ecdh,
        authSecret: subscriber.auth,
      } as const;
      expect(ece.decrypt(body, keys)).toEqual(Buffer.from(task.notification.plaintext));
    }
  });

  it('sends one authorization and one set of headers to all targets of an origin', async () => {
    const service = await start();
    const notification = makeNotification({ ttlSeconds: 0, urgency: 'high', topic: 'goals' });
    const vapid = makeVapid();
    await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, 20), { notification, vapid }));
    const { ttl, urgency, topic } = service.received[0]?.headers ?? {};
    expect({ ttl, urgency, topic: String(topic).length }).toEqual({ ttl: '0', urgency: 'high', topic: 32 });
    const authorizations = new Set(service.received.map(({ headers }) => headers.authorization));
    expect(authorizations.size).toBe(1);
    expect([...authorizations][0]).toContain(`k=${vapid.publicKey}`);
  });

  it('sends to the selected rows only', async () => {
    const service = await start();
    const wanted = emptyBitmap();
    for (const seq of [0, 7, 99]) setBit(wanted, seq);
    const sent = await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, 100), { wanted }));
    expect([...sent.seqs]).toEqual([0, 7, 99]);
    expect(service.received.map(({ path }) => seqOf(path)).sort((a, b) => a - b)).toEqual([0, 7, 99]);
  });

  it('sends as many as the budget of their push service has room for, endpoints that accepted before first', async () => {
    const service = await start();
    const acceptedBefore = emptyBitmap();
    for (const seq of [2, 5, 8]) setBit(acceptedBefore, seq);
    const order = Uint32Array.from([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const task = makeTask(makeRows(service.origin, 10), {
      acceptedBefore,
      order,
      budget: { other: 4, fcm: 0 },
    });
    const sent = await sender(service.ca).sendBlock(task);
    expect(service.received.map(({ path }) => seqOf(path)).sort((a, b) => a - b)).toEqual([2, 5, 8, 9]);
    expect(sent.budgeted).toEqual({ other: 6 });
    expect(outcomesOf(sent).filter((outcome) => outcome === 'unsent')).toHaveLength(6);
  });

  it('leaves for a later round whoever was not active, also where the push service only has a budget', async () => {
    const service = await start();
    const order = Uint32Array.from([3, 1]);
    const task = makeTask(makeRows(service.origin, 5), { order, inThisRound: 2, budget: { other: 9 } });
    const sent = await sender(service.ca).sendBlock(task);
    expect(service.received.map(({ path }) => seqOf(path)).sort()).toEqual([1, 3]);
    expect(sent).toMatchObject({ later: 3, budgeted: {} });
  });

  it('answers an empty block', async () => {
    const sent = await sender('').sendBlock(makeTask([]));
    expect(sent).toMatchObject({ kind: 'block-sent', reasons: [], retryAfterMs: {} });
    expect(sent.seqs).toHaveLength(0);
  });

  it('distinguishes each status, and keeps the reasons except of gone endpoints', async () => {
    const statuses = [201, 404, 410, 413, 429, 406, 500, 403];
    const service = await start((stream, received, session) => {
      const status = statuses[seqOf(received.path)] ?? 0;
      const retryAfter: Record<string, string> = status === 429 ? { 'retry-after': '30' } : {};
      answerWith(status, `said ${status}`, retryAfter)(stream, received, session);
    });
    const sent = await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, statuses.length)));
    expect([...sent.statuses]).toEqual(statuses);
    expect(outcomesOf(sent)).toEqual([
      ...['accepted', 'gone', 'gone', 'rejected', 'throttled', 'rejected', 'unreachable', 'rejected'],
    ]);
    expect(failuresOf(sent)).toEqual(['none', ...Array(7).fill('answered')]);
    expect(sent.retryAfterMs).toEqual({ other: 30_000 });
    expect(new Set(sent.reasons.map(({ text }) => text))).toEqual(
      new Set([413, 429, 406, 500, 403].map((status) => `said ${status}`)),
    );
  });

  it('keeps at most eight distinct reasons, counts them, and makes one line of each', async () => {
    const service = await start((stream, received, session) => {
      const text = `no\r\n\u001b[31m ${seqOf(received.path) % 20}`;
      answerWith(418, text)(stream, received, session);
    });
    const sent = await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, 100)));
    expect(sent.reasons).toHaveLength(8);
    for (const reason of sent.reasons) {
      expect(reason).toMatchObject({ service: 'other', status: 418, count: 5 });
      expect(reason.text).toMatch(/^no \[31m \d+$/);
    }
  });

  it('rejects bad keys one by one and sends to the others', async () => {
    const service = await start();
    const rows = makeRows(service.origin, 40).map((row) =>
      row.seq % 4 === 1 ? { ...row, p256dh: Buffer.alloc(65, 4) } : row,
    );
    const { window, sendBlock } = sender(service.ca);
    const sent = await sendBlock(makeTask(rows));
    expect(outcomesOf(sent)).toEqual(rows.map(({ seq }) => (seq % 4 === 1 ? 'rejected' : 'accepted')));
    expect(sent.reasons).toEqual([{ service: 'other', status: 0, text: 'bad-key', count: 10 }]);
    expect(service.received).toHaveLength(30);
    expect(window.inFlight()).toBe(0);
  });

  it('rejects endpoints off the list without a connection', async () => {
    const service = await start();
    const rows = [
      ...[
        'https://evil.example/x',
        'http://fcm.googleapis.com/x',
        'nonsense',
        'https://a:b@fcm.googleapis.com/',
      ],
    ].map((endpoint, seq) => ({ ...makeSubscriber(), seq, endpoint }));
    const given = { allowAnyEndpointHost: false, endpointHosts: ['fcm.googleapis.com'] };
    const { window, sendBlock } = sender(service.ca, given);
    const sent = await sendBlock(makeTask(rows));
    expect(new Set(outcomesOf(sent))).toEqual(new Set(['rejected']));
    expect(new Set(failuresOf(sent))).toEqual(new Set(['refused']));
    expect(sent.reasons.map(({ text }) => text)).toEqual([
      ...['unknown-push-service', 'not-https', 'not-a-url', 'has-credentials'],
    ]);
    expect(window.inFlight()).toBe(0);
  });

  it('rejects the block of an app with an invalid VAPID key pair', async () => {
    const service = await start();
    const vapid = { ...makeVapid(), privateKey: makeVapid().privateKey };
    const sent = await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, 5), { vapid }));
    expect(outcomesOf(sent)).toEqual(Array(5).fill('rejected'));
    expect(sent.reasons).toEqual([{ service: 'other', status: 0, text: 'bad-vapid-key', count: 5 }]);
    expect(service.received).toHaveLength(0);
  });

  it('calls a silent push service unreachable, and messages that it may have got unknown', async () => {
    const service = await start(neverAnswer);
    const { window, sendBlock } = sender(service.ca, { answerTimeoutMs: 200 });
    const sent = await sendBlock(makeTask(makeRows(service.origin, 10)));
    expect(outcomesOf(sent)).toEqual(Array(10).fill('unreachable'));
    expect(failuresOf(sent)).toEqual(Array(10).fill('unknown'));
    expect(Math.min(...sent.latenciesMs)).toBeGreaterThanOrEqual(190);
    expect(window.inFlight()).toBe(0);
  });

  it('blames an endpoint for a name that does not exist, and none for a host that is down', async () => {
    const service = await start();
    const down = await start();
    // What a name server says of a name that does not exist; here there may be none to ask.
    const unnamed = { status: 0, connected: false, failure: failureCode.refused, text: 'ENOTFOUND' };
    const { sendBlock } = sender(service.ca, {}, (real) => ({
      ...real,
      post: (request, listener) =>
        request.origin === MADE_UP
          ? listener.answered(request.index, { ...unnamed, retryAfter: null, latencyMs: 1 })
          : real.post(request, listener),
    }));
    await down.close();
    const rowsAt = (origin: string, from: number) =>
      makeRows(origin, 5).map((row, index) => ({ ...row, seq: from + index }));
    const rows = [...rowsAt(MADE_UP, 0), ...rowsAt(down.origin, 5), ...rowsAt(service.origin, 10)];
    // Before anybody answered, the fault may be this machine's network; the second time, nothing is tried any more.
    for (const _ of ['tried', 'closed'])
      expect((await sendBlock(makeTask(rows.slice(0, 10)))).invalid).toEqual(new Uint32Array());
    await sendBlock(makeTask(rows.slice(10)));
    const sent = await vi.waitFor(async () => {
      const again = await sendBlock(makeTask(rows));
      expect(again.invalid).toHaveLength(5);
      return again;
    }, 120_000);
    expect(outcomesOf(sent)).toEqual([...Array(10).fill('unreachable'), ...Array(5).fill('accepted')]);
    expect([...(sent.invalid ?? [])].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps to its window over all blocks of the thread', async () => {
    let open = 0;
    let peak = 0;
    const service = await start((stream, ...rest) => {
      open++;
      peak = Math.max(peak, open);
      setTimeout(() => {
        open--;
        accept(stream, ...rest);
      }, 5);
    });
    const { sendBlock } = sender(service.ca, { maxInFlight: 10 });
    const tasks = [1, 2, 3].map(() => makeTask(makeRows(service.origin, 100)));
    const all = await Promise.all(tasks.map((task) => sendBlock(task)));
    for (const sent of all) expect(outcomesOf(sent)).toEqual(Array(100).fill('accepted'));
    expect(peak).toBeLessThanOrEqual(10);
  });

  it('starts nothing more once the stop flag is set, finishes requests in flight, and reports which is which', async () => {
    const stop: SendBlock['stop'] = new Int32Array(new SharedArrayBuffer(4));
    const service = await start((...given) => {
      if (service.received.length === 50) Atomics.store(stop, 0, 1);
      accept(...given);
    });
    const { window, sendBlock } = sender(service.ca, { maxInFlight: 32 });
    const sent = await sendBlock(makeTask(makeRows(service.origin, 1_000), { stop }));
    const accepted = outcomesOf(sent).filter((outcome) => outcome === 'accepted').length;
    expect(sent.seqs).toHaveLength(1_000);
    expect(service.received).toHaveLength(accepted);
    expect(accepted).toBeGreaterThanOrEqual(50);
    expect(accepted).toBeLessThanOrEqual(50 + 32 + 16);
    expect(outcomesOf(sent)).toEqual([
      ...Array(accepted).fill('accepted'),
      ...Array(1_000 - accepted).fill('unsent'),
    ]);
    expect(window.inFlight()).toBe(0);
  });

  it('sends nothing when the flag is up from the start', async () => {
    const service = await start();
    const stop = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    const sent = await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, 3), { stop }));
    expect(outcomesOf(sent)).toEqual(Array(3).fill('unsent'));
    expect(service.sessions).toHaveLength(0);
  });

  it('starts nothing after the time that the task names, and reports which is which', async () => {
    const notAfterMs = Date.now() + 3_600_000;
    const service = await start();
    const late = await sender(service.ca).sendBlock(
      makeTask(makeRows(service.origin, 3), { notAfterMs: Date.now() }),
    );
    expect(outcomesOf(late)).toEqual(Array(3).fill('unsent'));
    expect(service.sessions).toHaveLength(0);
    const early = await sender(service.ca).sendBlock(makeTask(makeRows(service.origin, 3), { notAfterMs }));
    expect(outcomesOf(early)).toEqual(Array(3).fill('accepted'));
  });

  it('goes by the clock that the time was written by where this machine’s own is wrong', async () => {
    const service = await start();
    const hour = 3_600_000;
    const send = (hours: number, aheadMs: number) =>
      sender(service.ca).sendBlock(
        makeTask(makeRows(service.origin, 3), { notAfterMs: Date.now() + hours * hour, aheadMs }),
      );
    expect(outcomesOf(await send(1, 2 * hour)), 'over by that clock').toEqual(Array(3).fill('unsent'));
    expect(outcomesOf(await send(-1, -2 * hour)), 'not over yet').toEqual(Array(3).fill('accepted'));
  });

  it('of a rehearsal reaches no push service, and still finds keys that cannot be encrypted for', async () => {
    const service = await start();
    const rows = makeRows(service.origin, 20).map((row) =>
      row.seq === 7 ? { ...row, p256dh: new Uint8Array(65) } : row,
    );
    const state = createChannelState(-1, 0);
    const sent = await sender(service.ca).sendBlock(makeTask(rows, { rehearsal: true, channelState: state }));
    const limits = Array.from({ length: CHANNELS }, (_, channel) => readWord(state, channel, word.limit));
    expect(Math.max(...limits), 'as fast as push services take it that never throttle').toBeGreaterThan(0);
    expect(outcomesOf(sent)).toEqual(rows.map(({ seq }) => (seq === 7 ? 'rejected' : 'accepted')));
    expect(Math.min(...[...sent.latenciesMs].filter((_, seq) => seq !== 7))).toBeGreaterThan(0);
    expect(service.sessions).toHaveLength(0);
  });

  it('throws on broken targets before anything is sent', async () => {
    const service = await start();
    const task = makeTask(makeRows(service.origin, 10));
    const targets = task.targets.slice(0, -1);
    await expect(sender(service.ca).sendBlock({ ...task, targets, wanted: everyBit() })).rejects.toThrow(
      /COPY/,
    );
    expect(service.sessions).toHaveLength(0);
  });
});
