import { onTestFinished } from 'vitest';
import { createPushClient } from '../../../engine/worker/transports.ts';
import { post } from '../post.ts';
import { makeWorkerOptions, type pushTransports } from '../support.ts';
import { type Mode, startModePeer } from './mode-peer.ts';

export const MESSAGES = 100;
const body = 'x'.repeat(400);

/** What a peer of one mode took of `MESSAGES` messages, and what the push client answered of them. */
export async function playMode(
  pushTransport: (typeof pushTransports)[number],
  mode: Mode,
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
  const answers = await post(client, peer.origin, MESSAGES, body);
  return { peer, answers };
}
