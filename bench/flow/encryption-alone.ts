import { randomBytes } from 'node:crypto';
import { type ChooseOptions, chooseEncryption } from '../../engine/worker/encryption/choose.ts';
import { makeBrowsers } from '../encryption/work.ts';

const BATCH = 16;
const BATCHES = 500;
const WARM_UP = 60;

/**
 * CPU µs of encrypting one message on this machine, now, and nothing else: the floor under every figure of
 * the engine with this backend. Machines and hours differ by half; the ratio to this does not.
 */
export function measureEncryptionAlone(given: Pick<ChooseOptions, 'setting' | 'cryptoMbLibrary'>): number {
  const { encryptBatch, close } = chooseEncryption(given);
  const keys = makeBrowsers(BATCH);
  const plaintext = randomBytes(400);
  for (let batch = 0; batch < WARM_UP; batch++) encryptBatch(plaintext, keys);
  const before = process.cpuUsage();
  for (let batch = 0; batch < BATCHES; batch++) encryptBatch(plaintext, keys);
  const { user, system } = process.cpuUsage(before);
  close();
  return (user + system) / (BATCH * BATCHES);
}
