import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, OrganizationId } from '../../../engine/contract/ids.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';
import type { VapidPair } from '../../client/vapid-keys/new-pair.ts';
import { type NewVapidKey, vapidKeyId } from '../../client/vapid-keys/store.ts';

interface LockedApp {
  readonly id: AppId;
  readonly organization_id: OrganizationId;
  readonly next_seq: number;
}

/**
 * Gives a new app the publisher's existing key pair, so that subscriptions made with it can be imported. Once
 * the app has subscriptions of its own its pair can only be rotated. New subscriptions lock the app's row, so
 * none is made in between.
 */
export function adoptKeys(
  database: Database,
  sealer: Sealer,
  identifier: string,
  pair: VapidPair,
): Promise<void> {
  return database.transaction(async (sql) => {
    const [app] = await sql.query<LockedApp>(
      `SELECT id, organization_id, next_seq FROM apps WHERE identifier = $1 AND deleted_at IS NULL FOR UPDATE`,
      [identifier],
    );
    if (app === undefined) throw new CliError(`there is no app "${identifier}"`);
    if (app.next_seq > 0)
      throw new CliError(
        `${identifier} has subscriptions, which are bound to its own key: make a new app for these`,
      );
    await replaceUnusedKey(sql, app.id, {
      publicKey: pair.publicKey,
      privateKeySealed: sealer.seal(pair.privateKey, identifier),
    });
    await noteAdopted(sql, { id: app.id, organizationId: app.organization_id, identifier }, pair);
  });
}

/** Of an app without subscriptions. The caller holds its lock. */
export async function replaceUnusedKey(sql: Sql, appId: AppId, key: NewVapidKey): Promise<void> {
  await sql.query(
    `UPDATE apps SET vapid_public_key = $2, vapid_private_key_sealed = $3, updated_at = now() WHERE id = $1`,
    [appId, key.publicKey, key.privateKeySealed],
  );
}

interface AdoptingApp {
  readonly id: AppId;
  readonly organizationId: OrganizationId;
  readonly identifier: string;
}

export const noteAdopted = (sql: Sql, app: AdoptingApp, { publicKey }: VapidPair): Promise<void> =>
  noteChange(sql, commandActor(app.organizationId), {
    action: 'vapid-key.adopted',
    subjectId: app.identifier,
    appId: app.id,
    detail: { key: vapidKeyId(publicKey) },
  });
