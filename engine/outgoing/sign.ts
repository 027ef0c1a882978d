import { createHmac } from 'node:crypto';

/** One signature of a message, as Standard Webhooks (section "Signature scheme") writes it: `v1,` and base64. */
export function signMessage(key: Uint8Array, id: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}
