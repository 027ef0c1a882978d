// tier: unit
import { expect, it } from 'vitest';
import { parseVapidPair } from '../../../../api/cli/app-transfer/vapid-pair.ts';
import { newVapidPair } from '../../../../api/client/vapid-keys/new-pair.ts';

// One private key in 256 begins with a zero, and is 31 bytes as OpenSSL gives it.
it('a new pair belongs together, and both halves have their full length', () => {
  for (let tries = 0; tries < 2_000; tries++) {
    const pair = newVapidPair();
    expect([pair.publicKey.length, pair.privateKey.length]).toEqual([87, 43]);
    if (tries < 50) expect(parseVapidPair(pair.publicKey, pair.privateKey)).toEqual(pair);
  }
});
