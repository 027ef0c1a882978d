import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { lockApp } from '../apps/store.ts';
import { newVapidPair } from './new-pair.ts';
import {
  endVapidKey,
  isRotating,
  listVapidKeys,
  type StoredVapidKey,
  startRotation,
  vapidKeyId,
} from './store.ts';

/** The app's owner, and the author of the change. */
export interface ChangeBy {
  readonly organizationId: OrganizationId;
  readonly identifier: string;
  readonly actor: Actor;
}

export type Rotated =
  | { readonly kind: 'rotated'; readonly key: StoredVapidKey }
  | { readonly kind: 'missing' }
  | { readonly kind: 'under-way' };

export type KeyEnded = 'ended' | 'missing' | 'active';

export function createVapidKeys(database: Database, sealer: Sealer) {
  return {
    /** A new active pair; the one before it is retiring. One rotation at a time: the app's lock decides. */
    rotate: (by: ChangeBy): Promise<Rotated> => {
      const pair = newVapidPair();
      return database.transaction(async (sql) => {
        const app = await lockApp(sql, by.organizationId, by.identifier);
        if (app === null) return { kind: 'missing' };
        if (await isRotating(sql, app.id)) return { kind: 'under-way' };
        await startRotation(sql, app.id, {
          publicKey: pair.publicKey,
          privateKeySealed: sealer.seal(pair.privateKey, app.identifier),
        });
        const detail = { key: vapidKeyId(pair.publicKey) };
        await noteChange(sql, by.actor, {
          action: 'vapid-key.rotated',
          subjectId: app.identifier,
          appId: app.id,
          detail,
        });
        const key = (await listVapidKeys(sql, app.id)).find(({ state }) => state === 'active');
        if (key === undefined) throw new Error('the key just made is not there');
        return { kind: 'rotated', key };
      });
    },

    /** Asked again of a key that has ended, it changes nothing. */
    end: (by: ChangeBy, keyId: string): Promise<KeyEnded> =>
      database.transaction(async (sql) => {
        const app = await lockApp(sql, by.organizationId, by.identifier);
        const keys = app === null ? [] : await listVapidKeys(sql, app.id);
        const key = keys.find((each) => vapidKeyId(each.public_key) === keyId);
        if (app === null || key === undefined) return 'missing';
        if (key.state === 'active') return 'active';
        if (await endVapidKey(sql, app.id, key.number)) {
          const detail = { key: keyId, subscriptions: key.subscriptions };
          await noteChange(sql, by.actor, {
            action: 'vapid-key.ended',
            subjectId: app.identifier,
            appId: app.id,
            detail,
          });
        }
        return 'ended';
      }),
  };
}
