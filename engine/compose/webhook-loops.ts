import type { Database } from '../adapters/postgres/database.ts';
import { createWebhookStore } from '../adapters/postgres/outgoing/webhook-store.ts';
import { createWebhookUpkeep } from '../adapters/postgres/outgoing/webhook-upkeep.ts';
import type { Sealer } from '../adapters/postgres/sealed-secret.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { logFailure } from '../kit/roles/log-failure.ts';
import { createPublicAddresses, type PublicAddresses } from '../network/public-addresses.ts';
import { createSendMessage } from '../outgoing/webhooks/send-message.ts';
import { createMessageStep } from '../outgoing/webhooks/send-step.ts';
import { type Background, onPostgres, restAfter, startBackground, whenDue } from './background.ts';

const TIDY_EVERY_MS = 300_000;
/** How often readers are counted for endpoints that want them. */
const BATCH_EVERY_MS = 60_000;
/** Of one attempt; the lease in Postgres is longer. */
const DEADLINE_MS = 10_000;

/** Sends webhooks in the background; `close` waits for what is in flight. */
export function startWebhooks(parts: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly logger: Logger;
  /** Left out: the public internet alone. */
  readonly addresses?: PublicAddresses;
}): Pick<Background, 'nudge' | 'close'> {
  const { database, logger } = parts;
  const upkeep = createWebhookUpkeep(database);
  const messages = createMessageStep({
    store: createWebhookStore(database),
    sendMessage: createSendMessage({
      addresses: parts.addresses ?? createPublicAddresses(),
      openSecret: parts.sealer.open,
      nowMs: Date.now,
      deadlineMs: DEADLINE_MS,
    }),
    onError: (error) => logFailure(logger, error, 'a webhook is sent again later'),
    onEnded: () => sending?.wake(),
  });
  const background = startBackground(logger, [
    whenDue('webhooks', messages.step, 'webhooks wait'),
    onPostgres(restAfter(upkeep.tidy), TIDY_EVERY_MS, 'the log of webhooks is not tidied'),
    onPostgres(restAfter(upkeep.queueBatches), BATCH_EVERY_MS, 'readers are not counted for webhooks'),
  ]);
  const [sending] = background.loops;
  return { nudge: background.nudge, close: () => background.close().then(messages.idle) };
}
