import { createMailer } from '../adapters/mail/mailer.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { createAlertStore } from '../adapters/postgres/outgoing/alert-store.ts';
import { createEmailStore } from '../adapters/postgres/outgoing/email-store.ts';
import type { Sealer } from '../adapters/postgres/sealed-secret.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { logFailure } from '../kit/roles/log-failure.ts';
import { createPublicAddresses, type PublicAddresses } from '../network/public-addresses.ts';
import { createSendAlert } from '../outgoing/alerts/send-alert.ts';
import { createSendStep } from '../outgoing/alerts/send-step.ts';
import { createSendEmails } from '../outgoing/emails/send-emails.ts';
import type { SendMail } from '../outgoing/ports.ts';
import {
  type Background,
  type BackgroundWork,
  onPostgres,
  restAfter,
  startBackground,
  whenDue,
} from './background.ts';

const FIND_EVERY_MS = 60_000;
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
}): Pick<Background, 'nudge' | 'close'> {
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
    onError: (error) => logFailure(logger, error, 'an alert is sent again later'),
  });
  const emails = createEmails(parts, sendMail);
  const background = startBackground(logger, [
    ...emails.work,
    onPostgres(restAfter(store.find), FIND_EVERY_MS, 'alerts are not checked'),
    whenDue('alerts', sends.step, 'alerts wait'),
  ]);
  return {
    nudge: background.nudge,
    close: async () => {
      await background.close();
      await Promise.all([sends.idle(), emails.idle()]);
    },
  };
}

/** E-mails about accounts. Without a mail server they are only tidied: a trigger writes some in any case. */
function createEmails(
  { database, sealer, logger }: { database: Database; sealer: Sealer; logger: Logger },
  sendMail: SendMail | null,
): { readonly work: readonly BackgroundWork[]; idle(): Promise<void> } {
  const store = createEmailStore(database);
  const tidying = onPostgres(restAfter(store.tidy), FIND_EVERY_MS, 'e-mails wait');
  if (sendMail === null) return { work: [tidying], idle: async () => {} };
  const emails = createSendEmails({
    store,
    sendMail,
    openLink: sealer.open,
    deadlineMs: DEADLINE_MS,
    onRefused: (email, answer) => logger.warn({ ...email, answer }, 'an e-mail was not accepted'),
    onError: (error) => logFailure(logger, error, 'an e-mail is sent again later'),
  });
  return { work: [tidying, whenDue('emails', emails.step, 'e-mails wait')], idle: emails.idle };
}
