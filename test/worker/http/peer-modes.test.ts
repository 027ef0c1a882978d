// tier: unit
import { describe, expect, it, onTestFinished } from 'vitest';
import { failures } from '../../../engine/contract/outcome.ts';
import { frameType, MAX_WINDOW, setting } from '../../../engine/worker/http/protocol.ts';
import { createTwoClients, OWN_AGAIN_MS } from '../../../engine/worker/second-client.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { failureNames, post, statusesOf } from '../post.ts';
import { makeWorkerOptions, pushTransports } from '../support.ts';
import { type Mode, startModePeer, times, windowsOf } from './mode-peer.ts';
import { playMode } from './play-mode.ts';
import { data, frame, goAway, reset, settings, status, windowUpdate } from './raw-peer.ts';
import { startClient } from './support.ts';

const { maxConcurrentStreams } = setting;
const ping = frame(frameType.ping, 0, 0, Buffer.alloc(8));
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
    const { peer, answers } = await playMode(pushTransport, mode, 1_000);
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
