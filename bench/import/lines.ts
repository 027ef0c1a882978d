import { createECDH, createHash, randomBytes } from 'node:crypto';

/**
 * Like a real list: many browsers, each with keys of its own. Making a million key pairs would take longer than
 * importing them.
 */
const KEY_PAIRS = 1_024;
const regions = 200;
const devices = ['mobile', 'mobile', 'mobile', 'desktop', 'desktop', 'tablet'];
const countries = ['DE', 'DE', 'DE', 'US', 'US', 'FR', 'FR', 'GB', 'ES', 'IT', 'PL', 'NL', 'BR', 'AT', 'CH'];
const topics = ['sport', 'politics', 'culture', 'economy', 'local'];

/** NDJSON lines with every field an import takes: endpoints of 190 characters, three tags. From number `first` on. */
export function* importLines(first: number, count: number): Generator<string> {
  const keys = Array.from({ length: KEY_PAIRS }, newKeys);
  for (let n = first; n < first + count; n++) {
    const digest = createHash('sha512').update(String(n)).digest('base64url');
    const name = digest.slice(0, 11);
    yield `${JSON.stringify({
      endpoint: `https://fcm.googleapis.com/fcm/send/${name}:APA91b${digest}${digest.slice(0, 50)}`,
      ...keys[n % KEY_PAIRS],
      user_identity: `reader-${name}`,
      country: pick(countries, n),
      device_type: pick(devices, n),
      tags: {
        plan: n % 3 === 0 ? 'premium' : 'free',
        topic: pick(topics, n),
        region: `region-${n % regions}`,
      },
      created_at: new Date(Date.UTC(2025, 0, 1) + (n % 600) * 86_400_000).toISOString(),
    })}\n`;
  }
}

const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? '';

function newKeys(): { p256dh: string; auth: string } {
  const keys = createECDH('prime256v1');
  return {
    p256dh: keys.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
}
