// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failures } from '../../../engine/contract/outcome.ts';
import { createOwnClient } from '../../../engine/worker/http/own-client.ts';
import { makeWorkerOptions } from '../support.ts';
import { createRandom, type Manners, startRandomPeer } from './random-peer.ts';
import { sleep, until } from './support.ts';

/** A failure prints its seed: `FUZZ_SEED=<seed> PEER_RUNS=<runs>` plays the same peers again. */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2_147_483_647);
const runs = Number(process.env.PEER_RUNS ?? 4);

const MESSAGES = 80;
const ANSWER_TIMEOUT_MS = 300;
/** Each message: its own time-out, and as many again of those that it may wait for. */
const LIMIT_MS = 20_000;

const manners: fc.Arbitrary<Manners & { streams: number; connections: number }> = fc.record({
  seed: fc.integer({ min: 0 }),
  maxStreams: fc.constantFrom(1, 2, 10, 100),
  initialWindow: fc.constantFrom(0, 1, 7, 200, 65_535),
  chunk: fc.constantFrom(1, 3, 10, 1_000),
  refuses: fc.constantFrom(0, 100, 400),
  goodbyes: fc.constantFrom(0, 50, 300),
  breaks: fc.constantFrom(0, 0, 20),
  silences: fc.constantFrom(0, 0, 10),
  streams: fc.constantFrom(1, 8, 100),
  connections: fc.constantFrom(1, 3),
});

describe('a push client whose peer follows only the protocol', () => {
  it('answers each message once, and calls none refused that the peer took', async () => {
    await fc.assert(
      fc.asyncProperty(manners, async ({ streams, connections, ...given }) => {
        const peer = await startRandomPeer(given);
        const client = createOwnClient(
          makeWorkerOptions({
            ...{ extraCa: peer.ca, answerTimeoutMs: ANSWER_TIMEOUT_MS, connectTimeoutMs: 5_000 },
            ...{ streamsPerConnection: streams, connectionsPerOrigin: connections },
          }),
          null,
        );
        try {
          const random = createRandom(given.seed + 1);
          const endings: string[][] = [];
          const post = (isAgain: boolean): void => {
            const path = `/${endings.length}`;
            const body = Buffer.from(`${path} ${'x'.repeat(random() ** 4 * 3_000)}`);
            const one: string[] = [];
            endings.push(one);
            const listener = {
              answered(
                index: number,
                { status, failure, text }: { status: number; failure: number; text: string },
              ) {
                endings[index]?.push(status > 0 ? 'answered' : `${failures[failure]} ${text}`);
                if (isAgain && random() < 0.5) post(false);
              },
            };
            client.post(
              { origin: peer.origin, path, headers: ['ttl', '9'], body, index: endings.length - 1 },
              listener,
            );
          };
          for (let at = 0; at < MESSAGES; at++) post(true);
          const deadline = performance.now() + LIMIT_MS;
          while (endings.some((one) => one.length === 0) && performance.now() < deadline) await sleep(5);
          await sleep(10);
          expect(endings.map((one) => one.length)).toEqual(endings.map(() => 1));
          expect(peer.offences).toEqual([]);
          expect(peer.processed.filter((path, at) => peer.processed.indexOf(path) !== at)).toEqual([]);
          const taken = new Set(peer.processed);
          endings.forEach(([what], index) => {
            if (what?.startsWith('refused')) expect(taken, `${what}: ${index}`).not.toContain(`/${index}`);
            if (what === 'answered') expect(taken).toContain(`/${index}`);
          });
          await client.close();
          await until(() => peer.connections.every((connection) => connection.isClosed()));
        } finally {
          await client.close();
          await peer.close();
        }
      }),
      { seed, numRuns: runs },
    );
  });
});
