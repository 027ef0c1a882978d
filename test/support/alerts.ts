import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createAlertStore } from '../../engine/adapters/postgres/outgoing/alert-store.ts';
import {
  type AlertChannelKind,
  type AlertKind,
  alertKinds,
  channelContext,
} from '../../engine/contract/alerts.ts';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';
import { createSendAlert } from '../../engine/outgoing/alerts/send-alert.ts';
import { createSendStep } from '../../engine/outgoing/alerts/send-step.ts';
import type { SendMail } from '../../engine/outgoing/ports.ts';
import { testSealer } from './builders.ts';
import { loopbackAllowed } from './images.ts';

interface ChannelGiven {
  readonly kind?: AlertChannelKind;
  readonly address?: string;
  readonly secret?: Uint8Array | string;
  readonly alertKinds?: readonly AlertKind[];
}

/** A channel that was made an hour ago and wants everything. */
export async function buildAlertChannel(
  database: Database,
  organizationId: number,
  {
    kind = 'webhook',
    address = 'https://hook.example/',
    secret = 'x',
    alertKinds: kinds = alertKinds,
  }: ChannelGiven = {},
): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO alert_channels (organization_id, kind, address, alert_kinds, created_at)
     VALUES ($1, $2, $3, $4, now() - interval '1 hour') RETURNING id`,
    [organizationId, kind, address, kinds],
  );
  const id = row?.id ?? 0;
  const sealed = testSealer.seal(secret, channelContext(id));
  await database.query(`UPDATE alert_channels SET secret_sealed = $2 WHERE id = $1`, [id, sealed]);
  return id;
}

/** The sending half, as an engine has it. */
export function createTestSender(
  database: Database,
  given: { sendMail?: SendMail; addresses?: PublicAddresses; deadlineMs?: number } = {},
) {
  const errors: unknown[] = [];
  const store = createAlertStore(database);
  const sendAlert = createSendAlert({
    addresses: given.addresses ?? loopbackAllowed,
    openSecret: testSealer.open,
    sendMail: given.sendMail ?? null,
    nowMs: Date.now,
    deadlineMs: given.deadlineMs ?? 5_000,
  });
  const sends = createSendStep({ store, sendAlert, onError: (error) => errors.push(error) });
  const sendAll = async (): Promise<void> => {
    // A step that finds every permit of an organization taken begins nothing.
    for (let begun = 1; begun > 0; await sends.idle()) begun = await sends.step();
  };
  return { store, sendAlert, sends, sendAll, errors };
}
