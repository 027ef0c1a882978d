import { randomInt } from 'node:crypto';
import webPush from 'web-push';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import type { Caller } from '../../auth/bearer.ts';
import type { FieldErrors } from '../../plugins/problem.ts';
import type { AppBody } from './schema.ts';
import { insertApp, organizationExists, type StoredApp } from './store.ts';

export type AppCreated =
  | { readonly kind: 'created'; readonly app: StoredApp }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export type CreateApp = (caller: Caller, body: AppBody) => Promise<AppCreated>;

const MAX_TRIES = 5;

/** An app gets its VAPID key pair once, for life: browsers bind subscriptions to the public key. */
export function createCreateApp(database: Database, sealer: Sealer): CreateApp {
  return async function createApp(caller, body) {
    const owner = await ownerOf(database, caller, body);
    if (owner.kind === 'refused') return owner;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const identifier = newIdentifier(body.name);
      const app = await insertApp(database, {
        organizationId: owner.organizationId,
        identifier,
        vapidPublicKey: publicKey,
        vapidPrivateKeySealed: sealer.seal(privateKey, identifier),
        body,
      });
      if (app !== null) return { kind: 'created', app };
    }
    throw new Error(`no free identifier in ${MAX_TRIES} tries`);
  };
}

type Owner =
  | { readonly kind: 'owner'; readonly organizationId: OrganizationId }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

async function ownerOf(database: Database, caller: Caller, body: AppBody): Promise<Owner> {
  const { organization_id: asked } = body;
  if (asked === undefined) return { kind: 'owner', organizationId: caller.organizationId };
  // Said before any look-up: the answer must not tell whether an organization exists.
  if (caller.role !== 'super-admin') return refuse('may be given by super-admins only');
  if (!(await organizationExists(database, asked))) return refuse('must refer to an existing organization');
  return { kind: 'owner', organizationId: toId(asked) };
}

const refuse = (words: string): Owner => ({
  kind: 'refused',
  errors: { organization_id: [`The organization_id field ${words}.`] },
});

const SLUG_LENGTH = 40;
const SUFFIX_LENGTH = 6;
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Always with a random end: a bare slug that is taken would tell of another organization's app. */
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
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'app' : slug;
}
