import { hasAddress } from '../../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { hashSecret, newSecret } from '../../../../engine/kit/http/token.ts';
import type { Emails } from '../../emails/write-email.ts';
import type { InvitationLink } from '../invitations/link.ts';
import type { StoredChannel } from './store.ts';

const LASTS_SECONDS = 7 * 24 * 3_600;

/** Whether somebody who reads this mailbox said so: by the channel's link, or as a user of the organization. */
export async function isConfirmed(
  sql: Sql,
  organizationId: OrganizationId,
  { id, address }: Pick<StoredChannel, 'id' | 'address'>,
): Promise<boolean> {
  const rows = await sql.query(
    `SELECT FROM alert_channels WHERE id = $1 AND confirmed_at IS NOT NULL
     UNION ALL
     SELECT FROM users WHERE organization_id = $2 AND ${hasAddress('email', '$3')} AND address_confirmed_at IS NOT NULL`,
    [id, organizationId, address],
  );
  return rows.length > 0;
}

/** Writes the mailbox an e-mail with a link. */
export async function askToConfirm(
  sql: Sql,
  emails: Emails,
  { id, address }: Pick<StoredChannel, 'id' | 'address'>,
): Promise<void> {
  const secret = newSecret();
  const [asked] = await sql.query<{ organization: string }>(
    `UPDATE alert_channels SET confirm_hash = $2, confirm_asked_at = now() WHERE id = $1
     RETURNING (SELECT name FROM organizations WHERE organizations.id = organization_id) AS organization`,
    [id, hashSecret(secret)],
  );
  if (asked === undefined) return;
  const link = `${emails.base}/alert-addresses#${id}.${secret}`;
  await emails.write(sql, {
    kind: 'alert-address',
    address,
    detail: asked,
    link,
    lastsSeconds: LASTS_SECONDS,
  });
}

/** @returns false: the link is none, or none any more. */
export async function confirmByLink(sql: Sql, { id, secret }: InvitationLink): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE alert_channels SET confirmed_at = now(), confirm_hash = NULL WHERE id = $1 AND confirm_hash = $2
       AND confirm_asked_at > now() - make_interval(secs => $3) RETURNING id`,
    [id, hashSecret(secret), LASTS_SECONDS],
  );
  return rows.length === 1;
}
