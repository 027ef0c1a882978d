import { writeFile } from 'node:fs/promises';
import webpush from 'web-push';
import { createSampler } from '../../test/support/push-service/read-message.ts';
import type { PushServiceDouble } from '../../test/support/push-service/start.ts';
import type { PeerJob } from './protocol.ts';

/** The double decrypts one message out of this many; only the AES-GCM tag checks its text. */
export const VERIFY_ONE_IN = 20;
/** Of every peer that can send more than one message at a time. */
const CONCURRENCY = 100;
const DEFAULT_TTL_SECONDS = 86_400;
/** As long as Broadside's payload; only where no Broadside is among the senders. */
const standInPayload = JSON.stringify({ web_push: 8030, notification: { title: 'x'.repeat(400) } });

export function countSampled(messages: number): number {
  const samples = createSampler(VERIFY_ONE_IN);
  return Array.from({ length: messages }, (_, index) => index).filter(samples).length;
}

/**
 * All peers send to the same subscriptions the payload that Broadside has just sent to them, byte by byte, with
 * the same TTL.
 * @param file is written, and is read by every peer.
 */
export async function prepareJob(
  pushService: PushServiceDouble,
  messages: number,
  file: string,
): Promise<void> {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  const indexes = Array.from({ length: messages }, (_, index) => index);
  const sampled = indexes.filter(createSampler(VERIFY_ONE_IN));
  const seen = sampled.length === 0 ? null : await pushService.message(sampled.at(-1) ?? 0);
  const job: PeerJob = {
    subscriptions: indexes.map((index) => {
      const { endpoint, p256dh, auth } = pushService.subscriber(index);
      return { endpoint, p256dh, auth };
    }),
    payload: seen?.plaintext ?? standInPayload,
    ttl: Number(seen?.headers.ttl ?? DEFAULT_TTL_SECONDS),
    concurrency: CONCURRENCY,
    subject: 'mailto:push@example.org',
    ...{ publicKey, privateKey },
  };
  await writeFile(file, JSON.stringify(job));
}
