import type { EmailKind } from '../../../contract/emails.ts';
import type { Sql } from '../sql.ts';

/** Longer than an attempt may take: an e-mail whose engine died is then sent again. */
const LEASE_SECONDS = 60;

interface ClaimedRow {
  readonly id: number;
  readonly attempt: number;
  readonly kind: EmailKind;
  readonly address: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly linkSealed: Uint8Array | null;
  readonly at: Date;
}

type Noted = Pick<ClaimedRow, 'id' | 'attempt'>;
type End =
  | { readonly kind: 'sent' | 'failed' | 'unwanted' }
  | { readonly kind: 'again'; readonly afterMs: number };

export const isSendable = 'due_at <= now() AND ends_at > now()';

/**
 * E-mails on their way, see `engine/outgoing/emails/ports.ts`.
 *
 * An e-mail that is not sent yet lives in `letters`, written with what it is about. If its owner dies, the lease ends and
 * any engine sends it again under the same id.
 */
export const createEmailStore = (sql: Sql) => ({
  claim: (limit: number): Promise<ClaimedRow[]> =>
    sql.query<ClaimedRow>(
      `WITH chosen AS (
         SELECT id FROM letters WHERE ${isSendable}
         ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       UPDATE letters SET attempts = attempts + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
       FROM chosen WHERE letters.id = chosen.id
       RETURNING letters.id, attempts AS attempt, kind, address, detail, link_sealed AS "linkSealed", created_at AS at`,
      [limit],
    ),

  /** Writes nothing where the lease ended and another engine took the e-mail. */
  note: async ({ id, attempt }: Noted, end: End): Promise<void> => {
    const own = [id, attempt] as const;
    if (end.kind === 'again')
      await sql.query(
        `UPDATE letters SET due_at = now() + make_interval(secs => $3::float8 / 1000) WHERE id = $1 AND attempts = $2`,
        [...own, end.afterMs],
      );
    else await sql.query(`DELETE FROM letters WHERE id = $1 AND attempts = $2`, [...own]);
  },

  tidy: async (): Promise<void> => {
    await sql.query(`DELETE FROM letters WHERE ends_at <= now()`);
    await sql.query(`DELETE FROM password_resets WHERE expires_at <= now()`);
  },
});
