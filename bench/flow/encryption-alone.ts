import { createECDH, randomBytes } from 'node:crypto';
import { createEncryptBatch } from '../../engine/worker/encrypt.ts';

const BATCH = 16;
const BATCHES = 500;
const WARM_UP = 60;

/**
 * CPU µs of encrypting one message on this machine, now, and nothing else: the floor under every figure of
 * the engine with this backend. Machines and hours differ by half; the ratio to this does not.
 */
export function measureEncryptionAlone(): number {
  const keys = Array.from({ length: BATCH }, () => {
    const browser = createECDH('prime256v1');
    return { p256dh: browser.generateKeys(), auth: randomBytes(16) };
  });
  const plaintext = randomBytes(400);
  const encryptBatch = createEncryptBatch();
  for (let batch = 0; batch < WARM_UP; batch++) encryptBatch(plaintext, keys);
  const before = process.cpuUsage();
  for (let batch = 0; batch < BATCHES; batch++) encryptBatch(plaintext, keys);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (BATCH * BATCHES);
}
