import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { AlertChannelKind, AlertKind } from '../../../../engine/contract/alerts.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import type { PublicAddresses } from '../../../../engine/network/public-addresses.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { lockOrganization } from '../../../auth/locks.ts';
import { newWebhookSecret, receiverUrl } from '../../../auth/webhook-secret.ts';
import { isEmail } from '../../fields.ts';
import { countChannels, findChannel, insertChannel, type NewChannel, type StoredChannel } from './store.ts';

/** Of one organization. */
const MAX_CHANNELS = 20;

export interface ChannelWanted {
  readonly kind: AlertChannelKind;
  readonly address: string;
  readonly alert_kinds: readonly AlertKind[];
}

export interface MakeChannelDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly publicAddresses: Pick<PublicAddresses, 'allows'>;
  /** SMTP_URL and MAIL_FROM are set. */
  readonly mails: boolean;
}

export type MadeChannel =
  | { readonly kind: 'made'; readonly channel: StoredChannel; readonly secret: string | null }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export async function makeChannel(
  deps: MakeChannelDeps,
  actor: Actor,
  wanted: ChannelWanted,
): Promise<MadeChannel> {
  const errors = explainChannel(deps, wanted);
  if (errors !== null) return { kind: 'refused', errors };
  const { organizationId } = actor;
  const { row, secret } = partsOf(wanted);
  return deps.database.transaction(async (sql) => {
    await lockOrganization(sql, organizationId);
    if ((await countChannels(sql, organizationId)) >= MAX_CHANNELS) {
      const message = `There are ${MAX_CHANNELS} alert channels already: delete one first.`;
      return { kind: 'refused', errors: { address: [message] } };
    }
    const id = await insertChannel(sql, deps.sealer, { organizationId, ...row });
    const detail = { kind: row.kind, address: row.address, alert_kinds: row.alertKinds };
    await noteChange(sql, actor, { action: 'alert-channel.created', subjectId: id, detail });
    const channel = await findChannel(sql, organizationId, id);
    if (channel === null) throw new Error('the new alert channel is gone');
    return { kind: 'made', channel, secret };
  });
}

/** What is stored, and the secret as it is shown once. */
function partsOf({ kind, address, alert_kinds }: ChannelWanted): {
  row: Omit<NewChannel, 'organizationId'>;
  secret: string | null;
} {
  const alertKinds = [...new Set(alert_kinds)];
  if (kind === 'email')
    return { row: { kind, address: address.trim(), secret: null, alertKinds }, secret: null };
  const url = new URL(address.trim());
  if (kind === 'slack') {
    return { row: { kind, address: url.origin, secret: url.href, alertKinds }, secret: null };
  }
  const { key, shown } = newWebhookSecret();
  return { row: { kind, address: url.href, secret: key, alertKinds }, secret: shown };
}

function explainChannel(
  { mails, publicAddresses }: MakeChannelDeps,
  { kind, address }: ChannelWanted,
): FieldErrors | null {
  if (kind === 'email') {
    if (!mails) return { kind: ['Alerts by e-mail need the settings SMTP_URL and MAIL_FROM.'] };
    return isOneMailbox(address.trim())
      ? null
      : { address: ['The address field must be an e-mail address.'] };
  }
  return receiverUrl(publicAddresses, address) !== null
    ? null
    : { address: ['The address field must be an https URL on the public internet.'] };
}

/** Not a list of mailboxes, a group or a quoted name, which mail programs would read as more than one. */
const isOneMailbox = (text: string): boolean => isEmail(text) && !/[,;:<>()[\]\\"\p{Cc}]/u.test(text);
