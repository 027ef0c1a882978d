import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import type { BlockSender } from '../../engine/dispatch/ports.ts';
import { openBackend } from '../../engine/worker/encryption/backends.ts';
import { createGovernor, governorOptions } from '../../engine/worker/governor.ts';
import { createOrigins } from '../../engine/worker/origin-health.ts';
import { createProbation } from '../../engine/worker/probation.ts';
import type { WorkerOptions } from '../../engine/worker/protocol.ts';
import { createRehearsalSink } from '../../engine/worker/rehearsal-sink.ts';
import { createSendBlock } from '../../engine/worker/send-block.ts';
import { createPushClient } from '../../engine/worker/transports.ts';
import { createAuthorize } from '../../engine/worker/vapid.ts';
import { createWindow } from '../../engine/worker/window.ts';
import { makeWorkerOptions } from '../worker/support.ts';
import type { Subscriber } from './push-service/subscriber.ts';

/** What a worker thread does, on this thread: real encryption and signing, real requests. */
export function createRealSender(
  ca: string,
  given: Partial<WorkerOptions> = {},
): BlockSender & { close(): Promise<void> } {
  const options = makeWorkerOptions({ extraCa: ca, ...given });
  const client = createPushClient(options);
  const [now, random] = [Date.now, Math.random];
  const sendBlock = createSendBlock({
    ...{ options, client, now, random },
    encryptBatch: openBackend('node', { cryptoMbLibrary: null }).encryptBatch,
    authorize: createAuthorize(now),
    sink: createRehearsalSink(random),
    governor: createGovernor(governorOptions(options), now, random),
    window: createWindow(options.maxInFlight),
    probation: createProbation(),
    origins: createOrigins(),
  });
  return { sendBlock, close: () => client.close() };
}

/** Browsers of the push service's double as an app's subscriptions, made with the key pair of that number. */
export async function insertBrowsers(
  database: Database,
  appId: AppId,
  keyNumber: number,
  browsers: readonly Subscriber[],
): Promise<void> {
  await database.query(
    `WITH app AS (
       UPDATE apps SET next_seq = next_seq + $3, subscriber_count = subscriber_count + $3,
         active_subscriber_count = active_subscriber_count + $3 WHERE id = $1 RETURNING next_seq - $3 AS first
     )
     INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, vapid_key_number)
     SELECT $1, first + n - 1, endpoint, decode(translate(p256dh, '-_', '+/') || '=', 'base64'),
       decode(translate(auth, '-_', '+/') || '==', 'base64'), $2
     FROM app, unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS s (endpoint, p256dh, auth, n)`,
    [
      appId,
      keyNumber,
      browsers.length,
      browsers.map(({ endpoint }) => endpoint),
      browsers.map(({ p256dh }) => p256dh),
      browsers.map(({ auth }) => auth),
    ],
  );
}
