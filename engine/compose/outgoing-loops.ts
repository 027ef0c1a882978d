import { createMailer } from '../adapters/mail/mailer.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { createAlertStore } from '../adapters/postgres/outgoing/alert-store.ts';
import { createLetterStore } from '../adapters/postgres/outgoing/letter-store.ts';
import type { Sealer } from '../adapters/postgres/sealed-secret.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { type Loop, startLoop } from '../kit/roles/loop.ts';
import { createPublicAddresses, type PublicAddresses } from '../network/public-addresses.ts';
import { createSendAlert } from '../outgoing/alerts/send-alert.ts';
import { createSendStep } from '../outgoing/alerts/send-step.ts';
import { createSendLetters } from '../outgoing/emails/send-letters.ts';
import type { SendMail } from '../outgoing/ports.ts';

const FIND_EVERY_MS = 60_000;
const SEND_IDLE_MS = 1_000;
const MAX_BACKOFF_MS = 120_000;
/** Of one attempt; the lease in Postgres is longer. */
const DEADLINE_MS = 10_000;

/** Finds and sends alerts in the background; `close` waits for what is in flight. */
export function startNotify(parts: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly mail: { readonly smtpUrl: string | null; readonly mailFrom: string | null };
  /** Left out: the public internet alone. */
  readonly addresses?: PublicAddresses;
}): { close(): Promise<void> } {
  const { logger } = parts;
  const store = createAlertStore(parts.database);
  const sendMail = createMailer(parts.mail);
  const sends = createSendStep({
    store,
    sendAlert: createSendAlert({
      addresses: parts.addresses ?? createPublicAddresses(),
      openSecret: parts.sealer.open,
      sendMail,
      nowMs: Date.now,
      deadlineMs: DEADLINE_MS,
    }),
    onError: (error) => logger.warn({ err: error }, 'an alert is sent again later'),
  });
  const loops = [
    ...letterLoops(parts, sendMail),
    startLoop({
      step: async () => {
        await store.find();
        return 0;
      },
      idleMs: FIND_EVERY_MS,
      maxBackoffMs: MAX_BACKOFF_MS,
      onError: (error) => logger.warn({ err: error }, 'alerts are not checked: Postgres does not answer'),
    }),
    startLoop({
      step: sends.step,
      idleMs: SEND_IDLE_MS,
      maxBackoffMs: MAX_BACKOFF_MS,
      onError: (error) => logger.warn({ err: error }, 'alerts wait: Postgres does not answer'),
    }),
  ];
  return {
    close: async () => {
      await Promise.all(loops.map((loop) => loop.close()));
      await sends.idle();
    },
  };
}

/** Letters about accounts. Without a mail server they are only tidied: a trigger writes some in any case. */
function letterLoops(
  { database, sealer, logger }: { database: Database; sealer: Sealer; logger: Logger },
  sendMail: SendMail | null,
): Loop[] {
  const store = createLetterStore(database);
  const onError = (error: unknown) => logger.warn({ err: error }, 'e-mails wait: Postgres does not answer');
  const tidy = async (): Promise<number> => {
    await store.tidy();
    return 0;
  };
  const tidying = startLoop({ step: tidy, idleMs: FIND_EVERY_MS, maxBackoffMs: MAX_BACKOFF_MS, onError });
  if (sendMail === null) return [tidying];
  const step = createSendLetters({
    store,
    sendMail,
    openLink: sealer.open,
    deadlineMs: DEADLINE_MS,
    onRefused: (letter, answer) => logger.warn({ ...letter, answer }, 'an e-mail was not accepted'),
  });
  return [tidying, startLoop({ step, idleMs: SEND_IDLE_MS, maxBackoffMs: MAX_BACKOFF_MS, onError })];
}
