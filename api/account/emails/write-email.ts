import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { type EmailKind, emailContext } from '../../../engine/contract/emails.ts';
import type { UserId } from '../../../engine/contract/ids.ts';

export interface NewEmail {
  readonly kind: EmailKind;
  readonly address: string;
  /** The e-mail goes with the user, or with the invitation. */
  readonly userId?: UserId;
  readonly invitationId?: number;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly link?: string;
  /** After that it is not sent any more: nobody could use it. */
  readonly lastsSeconds: number;
}

export interface Emails {
  /** Where their links lead. Never from a request: its author would choose where a reset leads. */
  readonly base: string;
  /** In the transaction of what it is about; an engine sends it. */
  write(sql: Sql, email: NewEmail): Promise<void>;
}

interface LetterSettings {
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly publicBaseUrl: string | null;
}

/** Null where SMTP_URL, MAIL_FROM and PUBLIC_BASE_URL are not all set: links are then shown instead. */
export function createEmails(
  { smtpUrl, mailFrom, publicBaseUrl: base }: LetterSettings,
  sealer: Sealer,
): Emails | null {
  if (smtpUrl === null || mailFrom === null || base === null) return null;
  return {
    base,
    write: async (sql, { kind, address, userId, invitationId, detail = {}, link, lastsSeconds }) => {
      const sealed = link === undefined ? null : sealer.seal(link, emailContext(address));
      await sql.query(
        `INSERT INTO letters (kind, address, user_id, invitation_id, detail, link_sealed, ends_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
        [kind, address, userId ?? null, invitationId ?? null, JSON.stringify(detail), sealed, lastsSeconds],
      );
    },
  };
}
