import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { createInterface } from 'node:readline';
import webpush from 'web-push';
import type { PeerAnswer, PeerJob } from '../protocol.ts';

/**
 * The npm package, as `protocol.ts` asks: `node sender.ts JOB readme` sends one message after the other, as the
 * package's README does; `node sender.ts JOB keep-alive` several at a time over an agent that keeps its sockets.
 */
const [file = '', mode = 'readme'] = process.argv.slice(2);
const job = JSON.parse(readFileSync(file, 'utf8')) as PeerJob;
webpush.setVapidDetails(job.subject, job.publicKey, job.privateKey);
const lanes = mode === 'keep-alive' ? job.concurrency : 1;
const options =
  mode === 'keep-alive' ? { TTL: job.ttl, agent: new Agent({ keepAlive: true }) } : { TTL: job.ttl };

async function sendAll(): Promise<PeerAnswer> {
  const before = process.cpuUsage();
  const failures: string[] = [];
  let next = 0;

  async function lane(): Promise<void> {
    for (let at = next++; at < job.subscriptions.length; at = next++) {
      const { endpoint, p256dh, auth } = job.subscriptions[at] as PeerJob['subscriptions'][number];
      await webpush
        .sendNotification({ endpoint, keys: { p256dh, auth } }, job.payload, options)
        .catch((error: Error) => failures.push(error.message));
    }
  }

  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(before);
  const sent = job.subscriptions.length - failures.length;
  return { sent, failed: failures.length, error: failures[0] ?? '', cpu_us: user + system };
}

console.log(JSON.stringify({ ready: true }));
for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(await sendAll()));
