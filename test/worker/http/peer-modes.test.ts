// tier: unit
import { describe, expect, it, onTestFinished } from 'vitest';
import { failures } from '../../../engine/contract/outcome.ts';
import { flag, frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import { createTwoClients, OWN_AGAIN_MS } from '../../../engine/worker/second-client.ts';
import { createPushClient } from '../../../engine/worker/transports.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { failureNames, post, statusesOf } from '../post.ts';
import { makeWorkerOptions, pushTransports } from '../support.ts';
import { accepted, type Mode, startModePeer, times, windowsOf } from './mode-peer.ts';
import { data, frame, goAway, headers, literal, reset, settings, status, windowUpdate } from './raw-peer.ts';
import { startClient } from './support.ts';

const { maxConcurrentStreams, initialWindowSize, headerTableSize } = setting;
const ping = frame(frameType.ping, 0, 0, Buffer.alloc(8));
const padded = (id: number) =>
  frame(
    frameType.data,
    flag.padded | flag.endStream,
    id,
    Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]),
  );
const open201 = (id: number): Buffer => headers(id, status(201), false);
const split = (id: number): Buffer[] => {
  const block = Buffer.concat([status(201), literal('x-request', 'a'.repeat(100))]);
  const parts = [...block].map((byte, at) =>
    frame(
      at === 0 ? frameType.headers : frameType.continuation,
      (at === 0 ? flag.endStream : 0) | (at === block.length - 1 ? flag.endHeaders : 0),
      id,
      Buffer.from([byte]),
    ),
  );
  return parts;
};

/** All of it is legal HTTP/2, of a peer that takes every message in the end. */
const legal: Readonly<Record<string, Mode>> = {
  'windows of one byte': { greeting: windowsOf(1) },
  'windows of 100 bytes': { greeting: windowsOf(100) },
  'windows of one byte, and three PINGs and SETTINGS with each': {
    greeting: windowsOf(1),
    atBody: (id, bytes) => [ping, windowUpdate(0, bytes), settings(), ping, windowUpdate(id, bytes)],
  },
  'windows of nothing, opened byte by byte': {
    greeting: windowsOf(0),
    atHeaders: (id) => [windowUpdate(id, 1)],
  },
  'windows that SETTINGS open': {
    greeting: windowsOf(0),
    atHeaders: (_, count) => [settings(initialWindowSize, 40 * count)],
    atBody: (_, bytes) => [windowUpdate(0, bytes)],
    answer: (id, count) => [accepted(id), settings(initialWindowSize, 100_000 + count)],
  },
  'a window of the connection that opens byte by byte': {
    atBody: (_, bytes) => times(bytes, windowUpdate(0, 1)),
  },
  '200 PINGs an answer': { answer: (id) => [...times(200, ping), accepted(id)] },
  '900 PINGs an answer': { answer: (id) => [...times(900, ping), accepted(id)] },
  '200 PINGs with each request, before any answer': { atHeaders: () => times(200, ping) },
  '50 empty frames an answer': {
    answer: (id) => [open201(id), ...times(50, data(id, '', false)), data(id, '')],
  },
  '500 empty frames an answer': {
    answer: (id) => [open201(id), ...times(500, data(id, '', false)), data(id, '')],
  },
  'answers of 400 bytes, each in a frame of its own': {
    answer: (id) => [open201(id), ...times(400, data(id, 'x', false)), data(id, '')],
  },
  'headers in parts of one byte': { answer: split },
  '100 interim answers': { answer: (id) => [...times(100, headers(id, status(103), false)), accepted(id)] },
  '100 SETTINGS an answer': {
    answer: (id, count) => [...times(100, settings(maxConcurrentStreams, 50 + (count % 50))), accepted(id)],
  },
  '100 windows of the connection an answer': {
    answer: (id) => [...times(100, windowUpdate(0, 1)), accepted(id)],
  },
  '100 priorities and unknown frames an answer': {
    answer: (id) => [...times(50, frame(2, 0, id, Buffer.alloc(5)), frame(0xfa, 0, id)), accepted(id)],
  },
  'padding and trailers': {
    answer: (id) =>
      id % 4 === 1
        ? [open201(id), padded(id)]
        : [open201(id), data(id, 'x', false), headers(id, literal('x', 'y'))],
  },
  'bytes one by one': { chunk: 1 },
  'tables of fields that come and go': {
    greeting: [settings(headerTableSize, 0)],
    answer: (id, count) => [settings(headerTableSize, count % 2 === 0 ? 0 : 4_096), accepted(id)],
  },
  'one stream at a time': { greeting: [settings(maxConcurrentStreams, 1)] },
  'each stream refused five times': { refuses: 5 },
  'a reset without an error after each answer': { answer: (id) => [accepted(id), reset(id, 0)] },
  'a goodbye after each answer': { greeting: [settings(maxConcurrentStreams, 10)], goodbyeAfter: 10 },
  'SETTINGS only after the first request': { greeting: null },
};

const MESSAGES = 100;
const body = 'x'.repeat(400);

async function play(
  pushTransport: (typeof pushTransports)[number],
  mode: Mode,
  count: number,
  answerTimeoutMs = 20_000,
) {
  const peer = await startModePeer(mode);
  const client = createPushClient(
    makeWorkerOptions({
      ...{ pushTransport, extraCa: peer.ca, connectionsPerOrigin: 2 },
      ...{ connectTimeoutMs: 2_000, answerTimeoutMs },
    }),
  );
  onTestFinished(async () => {
    await client.close();
    await peer.close();
  });
  const answers = await post(client, peer.origin, count, body);
  return { peer, answers };
}

/** `node:http2` has rules of its own for what a peer may send at once, and ends the connection beyond them. */
const tooMuchForNode = /an answer|with each request|parts of one byte/;

describe.each(pushTransports)('the push client, %s, whose peer is legal, and unlike any', (pushTransport) => {
  it.each(Object.entries(legal))('delivers every message once: %s', async (name, mode) => {
    const { peer, answers } = await play(pushTransport, mode, MESSAGES);
    const others = answers.filter(({ status: code }) => code !== 201);
    if (pushTransport === 'undici' && tooMuchForNode.test(name)) {
      expect(failureNames(others).filter((each) => each !== 'unknown' && each !== 'refused')).toEqual([]);
      return;
    }
    expect([...new Set(others.map(({ text }) => text))]).toEqual([]);
    expect(peer.taken.toSorted()).toEqual(
      Array.from({ length: MESSAGES }, (_, at) => `/push/${at}`).toSorted(),
    );
  });
});

const flood = Buffer.concat(times(500, ping));
/** What brings no message forward. */
const hostile: Readonly<Record<string, Mode>> = {
  'no answer': { answer: () => [] },
  'no SETTINGS': { greeting: [] },
  'no streams': { greeting: [settings(maxConcurrentStreams, 0)] },
  'windows that stay shut': { greeting: windowsOf(0) },
  'windows that stay at one byte': { greeting: windowsOf(1), atBody: () => [] },
  'windows of other streams': { greeting: windowsOf(1), atBody: () => [windowUpdate(0, 1)] },
  'each stream refused': { refuses: MAX_WINDOW },
  'a goodbye to each stream': { greeting: [settings(), goAway(0)], lastId: 0 },
  'a reset of each stream': { atHeaders: (id) => [reset(id, 2)] },
  'a closed connection after each message': { closesAfter: 1, answer: () => [] },
  garbage: { greeting: [Buffer.alloc(1_000, 0x47)] },
  'an answer that breaks the protocol': { answer: (id) => [data(id, 'x')] },
  'a window out of bounds': {
    atHeaders: (id) => [windowUpdate(id, MAX_WINDOW), windowUpdate(0, MAX_WINDOW)],
  },
  'PINGs in place of answers': { answer: () => times(20, flood) },
  'headers without an end in place of answers': {
    answer: (id) => [
      frame(frameType.headers, 0, id, status(201)),
      ...times(100, frame(frameType.continuation, 0, id)),
    ],
  },
};

describe.each(pushTransports)('the push client, %s, whose peer brings nothing forward', (pushTransport) => {
  it.each(Object.entries(hostile))('ends every message, none of them twice: %s', async (_, mode) => {
    const cpu = process.cpuUsage();
    const { peer, answers } = await play(pushTransport, mode, MESSAGES, 1_000);
    const { user, system } = process.cpuUsage(cpu);
    expect(answers.filter(({ status: code }) => code > 0 && code !== 201)).toEqual([]);
    expect(failureNames(answers.filter(({ status: code }) => code === 0))).not.toContain('answered');
    for (const [index, { failure }] of answers.entries())
      if (failures[failure] === 'refused') expect(peer.taken).not.toContain(`/push/${index}`);
    expect(peer.taken.length).toBe(new Set(peer.taken).size);
    expect((user + system) / 1_000_000, 'seconds of CPU').toBeLessThan(20);
  });
});

describe('a host that our own HTTP/2 gives up on', () => {
  /** Floods whoever waits for its SETTINGS before a request: our own does, undici does not. */
  const ownAlone: Mode = { greeting: null };

  async function start(isOpen = () => true) {
    const peer = await startModePeer(ownAlone);
    const givenUp: string[] = [];
    const {
      post: send,
      reported,
      all,
      client,
    } = startClient(
      peer.ca,
      { connectTimeoutMs: 300, connectionsPerOrigin: 1 },
      { isOpen, onGivenUp: ({ why }) => void givenUp.push(why) },
    );
    onTestFinished(peer.close);
    return { peer, client, givenUp, reported, send: () => send(peer.origin), all };
  }

  it('gets its messages by undici, those that follow at once, and is reported once', async () => {
    const { peer, givenUp, reported, send, all } = await start();
    for (let count = 0; count < 3; count++) send();
    await all();
    send();
    await all();
    expect(reported).toEqual(Array(4).fill(['201']));
    expect(givenUp).toEqual(['SETTINGS_TIMEOUT']);
    expect(peer.connections).toHaveLength(2);
  });

  it('gets none by undici where that client is shut, from the moment it is', async () => {
    let isShut = false;
    const { reported, send, all } = await start(() => !isShut);
    send();
    await all();
    isShut = true;
    send();
    await all();
    expect(reported).toEqual([['201'], ['refused SETTINGS_TIMEOUT']]);
  });

  it('is tried by our own again after ten minutes', async () => {
    const clock = createManualClock();
    const peer = await startModePeer(ownAlone);
    const givenUp: string[] = [];
    const client = createTwoClients(
      makeWorkerOptions({ extraCa: peer.ca, connectTimeoutMs: 300 }),
      null,
      { isOpen: () => true, onGivenUp: ({ why }) => void givenUp.push(why) },
      clock.now,
    );
    onTestFinished(async () => {
      await client.close();
      await peer.close();
    });
    for (const wait of [0, OWN_AGAIN_MS - 1, 1]) {
      clock.advance(wait);
      expect(statusesOf(await post(client, peer.origin, 1))).toEqual([201]);
    }
    expect(givenUp).toHaveLength(2);
  });

  it('is not a host that refuses, is silent or cannot be reached', async () => {
    const refusing = await startModePeer({ refuses: MAX_WINDOW });
    const silent = await startModePeer({ answer: () => [] });
    const gone = await startModePeer({});
    await gone.close();
    onTestFinished(refusing.close);
    onTestFinished(silent.close);
    const givenUp: string[] = [];
    const { post: send, all } = startClient(
      refusing.ca,
      { answerTimeoutMs: 300, extraCa: refusing.ca },
      { isOpen: () => true, onGivenUp: ({ why }) => void givenUp.push(why) },
    );
    for (const { origin } of [refusing, silent, gone]) send(origin);
    await all();
    expect(givenUp).toEqual([]);
  });
});
