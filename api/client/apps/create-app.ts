import { randomInt } from 'node:crypto';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import type { Caller } from '../../auth/caller.ts';
import { ownerOf } from '../../auth/owner.ts';
import { whyNobodyApproves } from '../approvals/who-approves.ts';
import { newVapidPair, type VapidPair } from '../vapid-keys/new-pair.ts';
import { keepPictures, lockPictures, noteImageBase } from './pictures/keep-pictures.ts';
import type { AppBody } from './schema.ts';
import { insertApp, type StoredApp, settingsOf } from './store.ts';

export type AppCreated =
  | { readonly kind: 'created'; readonly app: StoredApp }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export type CreateApp = (
  by: { readonly caller: Caller; readonly actor: Actor; readonly base: string },
  body: AppBody,
) => Promise<AppCreated>;

const MAX_TRIES = 5;

/** An app gets its VAPID key pair once, for life: browsers bind subscriptions to the public key. */
export function createCreateApp(database: Database, sealer: Sealer): CreateApp {
  return async function createApp({ caller, actor, base }, body) {
    const owner = await ownerOf(database, caller, body);
    if (owner.kind === 'refused') return owner;
    const { organizationId } = owner;
    const keys = newVapidPair();
    return database.transaction(async (sql) => {
      const settings = settingsOf(body);
      const absent =
        (await lockPictures(sql, settings)) ??
        (settings.approval === 'none' ? null : await whyNobodyApproves(sql, organizationId, null));
      if (absent !== null) return { kind: 'refused', errors: absent };
      const app = await insertUnderFreeIdentifier(sql, sealer, { organizationId, keys, body });
      await keepPictures(sql, app.id, settings);
      await noteImageBase(sql, app.id, base);
      await noteChange(sql, actor, { action: 'app.created', subjectId: app.identifier, appId: app.id });
      return { kind: 'created', app };
    });
  };
}

async function insertUnderFreeIdentifier(
  sql: Sql,
  sealer: Sealer,
  app: { readonly organizationId: OrganizationId; readonly keys: VapidPair; readonly body: AppBody },
): Promise<StoredApp> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const identifier = newIdentifier(app.body.name);
    const made = await insertApp(sql, {
      organizationId: app.organizationId,
      identifier,
      vapidPublicKey: app.keys.publicKey,
      vapidPrivateKeySealed: sealer.seal(app.keys.privateKey, identifier),
      body: app.body,
    });
    if (made !== null) return made;
  }
  throw new Error(`no free identifier in ${MAX_TRIES} tries`);
}

const SLUG_LENGTH = 40;
const SUFFIX_LENGTH = 6;
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Always with a random end: "taken" for a bare slug would reveal another organization's app. */
export function newIdentifier(name: string): string {
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => letters[randomInt(letters.length)]).join('');
  return `${slugOf(name)}-${suffix}`;
}

function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
  const slug = ascii
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? 'app' : slug;
}
