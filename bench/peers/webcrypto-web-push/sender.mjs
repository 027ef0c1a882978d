import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buildPushPayload } from '@block65/webcrypto-web-push';

/** A package on Web Crypto, as `../protocol.ts` asks and its README shows: it makes the request, `fetch` sends it. */
const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const vapid = { subject: job.subject, publicKey: job.publicKey, privateKey: job.privateKey };
const message = { data: job.payload, options: { ttl: job.ttl } };

async function send({ endpoint, p256dh, auth }) {
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
  const response = await fetch(endpoint, await buildPushPayload(message, subscription, vapid));
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`answered ${response.status}`);
}

async function sendAll() {
  const before = process.cpuUsage();
  const failures = [];
  let next = 0;
  async function lane() {
    for (let at = next++; at < job.subscriptions.length; at = next++)
      await send(job.subscriptions[at]).catch((error) => failures.push(String(error.cause ?? error.message)));
  }
  await Promise.all(Array.from({ length: job.concurrency }, lane));
  const { user, system } = process.cpuUsage(before);
  const sent = job.subscriptions.length - failures.length;
  return { sent, failed: failures.length, error: failures[0] ?? '', cpu_us: user + system };
}

console.log(JSON.stringify({ ready: true }));
for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(await sendAll()));
