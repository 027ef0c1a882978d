// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failures } from '../../../engine/contract/outcome.ts';
import type { WorkerOptions } from '../../../engine/worker/protocol.ts';
import { createPushClient } from '../../../engine/worker/transports.ts';
import { makeWorkerOptions } from '../support.ts';
import { type FatedPeer, startFatedPeer } from './fated-peer.ts';

/** A failure prints its seed: `FUZZ_SEED=<seed> PEER_RUNS=<runs>` plays the same peers again. */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2_147_483_647);
const runs = Number(process.env.PEER_RUNS ?? 4);

const MESSAGES = 60;

const peers: fc.Arbitrary<FatedPeer & { streams: number; connections: number }> = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000_000 }),
  maxStreams: fc.constantFrom(1, 2, 10, 100),
  initialWindow: fc.constantFrom(30, 200, 65_535),
  goodbyes: fc.constantFrom(0, 0, 50, 200),
  accepts: fc.constantFrom(0, 300, 800),
  streams: fc.constantFrom(1, 8, 100),
  connections: fc.constantFrom(1, 3),
});

/** How each message ended: its class, with the status and Retry-After of an answer. */
async function endingsOver(
  pushTransport: WorkerOptions['pushTransport'],
  { streams, connections, ...given }: FatedPeer & { streams: number; connections: number },
) {
  const peer = await startFatedPeer(given);
  const client = createPushClient(
    makeWorkerOptions({
      pushTransport,
      // Nothing here ends by time: a busy machine must not make a difference.
      answerTimeoutMs: 120_000,
      extraCa: peer.ca,
      streamsPerConnection: streams,
      connectionsPerOrigin: connections,
    }),
  );
  try {
    const endings: string[] = [];
    let left = MESSAGES;
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = {
      answered(
        index: number,
        { status, retryAfter, failure }: { status: number; retryAfter: string | null; failure: number },
      ) {
        expect(endings[index], `message ${index} ended before`).toBeUndefined();
        endings[index] = status > 0 ? `answered ${status} ${retryAfter}` : `${failures[failure]}`;
        left--;
        if (left === 0) resolve();
      },
    };
    for (let index = 0; index < MESSAGES; index++) {
      const body = Buffer.alloc(1 + ((index * 37) % 300), 'x');
      client.post({ origin: peer.origin, path: `/${index}`, headers: ['ttl', '9'], body, index }, listener);
    }
    await promise;
    return { endings, read: peer.read, fatesOf: peer.fatesOf };
  } finally {
    await client.close();
    await peer.close();
  }
}

describe('our own HTTP/2 and undici’s', () => {
  it('end each message the same way, whatever the same peer does with it', async () => {
    await fc.assert(
      fc.asyncProperty(peers, async (given) => {
        const own = await endingsOver('own', given);
        const undici = await endingsOver('undici', given);
        for (const [index, ending] of own.endings.entries()) {
          const path = `/${index}`;
          const fate = own.fatesOf.get(path)?.at(-1);
          const what = `${path}: ${own.fatesOf.get(path)} (own), ${undici.fatesOf.get(path)} (undici)`;
          // Of a message that broke before it was read, our own knows whether all of it had left. undici does not,
          // and in doubt it is unknown. That it is called refused by undici alone would be a duplicate one day.
          const isPartial = fate === 'break early' && ending === 'refused';
          // How often a denied message is sent again: ours counts goodbyes along, undici does not. One that only met
          // goodbyes was never processed, and has no fate.
          const isDenied = fate === undefined || fate.startsWith('deny');
          if (isDenied && ending === 'refused' && given.goodbyes > 0) continue;
          if (isPartial) expect(['refused', 'unknown'], what).toContain(undici.endings[index]);
          else expect(undici.endings[index], what).toBe(ending);
        }
        for (const { endings, read, fatesOf } of [own, undici])
          for (const [index, ending] of endings.entries()) {
            if (ending !== 'refused') continue;
            const path = `/${index}`;
            const timesRead = read.filter((each) => each === path).length;
            // A peer may read all of a message and then deny it, at any attempt: to send it again, and to call it
            // refused, is right then.
            const timesDenied = fatesOf.get(path)?.filter((fate) => fate.startsWith('deny')).length ?? 0;
            expect(timesRead, `${path}: ${fatesOf.get(path)}`).toBeLessThanOrEqual(timesDenied);
          }
      }),
      { seed, numRuns: runs },
    );
  });
});
