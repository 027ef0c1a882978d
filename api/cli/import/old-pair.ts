import { readFile } from 'node:fs/promises';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, OrganizationId } from '../../../engine/contract/ids.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { VapidPair } from '../../client/vapid-keys/new-pair.ts';
import { addRetiringKey, isRotating } from '../../client/vapid-keys/store.ts';
import { noteAdopted, replaceUnusedKey } from '../app-transfer/adopt-keys.ts';
import { readVapidPair } from '../app-transfer/vapid-pair.ts';

/** Files with the pair: one of JSON, or one for each half. */
export interface PairFiles {
  readonly vapid?: string;
  readonly vapidPublic?: string;
  readonly vapidPrivate?: string;
}

/** Null where none is named. @throws CliError where the files hold no pair: before the first line is read. */
export async function readOldPair(files: PairFiles): Promise<VapidPair | null> {
  const { vapid, vapidPublic, vapidPrivate } = files;
  if (vapid === undefined && vapidPublic === undefined && vapidPrivate === undefined) return null;
  if (vapid !== undefined) return checked(...halvesOf(await textOf(vapid), vapid));
  if (vapidPublic === undefined || vapidPrivate === undefined)
    throw new CliError('name both halves of the key pair: --vapid-public and --vapid-private');
  return checked(await textOf(vapidPublic), await textOf(vapidPrivate));
}

function checked(publicText: string, privateText: string): VapidPair {
  const pair = readVapidPair(publicText, privateText);
  if (typeof pair === 'string') throw new CliError(`the VAPID key pair cannot be used: ${pair}`);
  return pair;
}

/** As `web-push generate-vapid-keys --json` writes it, or with underscores. */
function halvesOf(text: string, file: string): [publicText: string, privateText: string] {
  try {
    const given = JSON.parse(text) as Record<string, unknown>;
    const halves = [given.publicKey ?? given.public_key, given.privateKey ?? given.private_key];
    if (halves.every((half) => typeof half === 'string')) return halves as [string, string];
  } catch {
    // Said below: the text itself may hold the key.
  }
  throw new CliError(`${file} is not a JSON object with publicKey and privateKey`);
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`cannot read ${file} (${error.code})`);
  });

export interface TakenPair {
  /** Null: a dry run, and the app does not have it yet. */
  readonly number: number | null;
  readonly state: 'active' | 'retiring';
  /** False: the app has it already, from an earlier run. */
  readonly isNew: boolean;
}

interface App {
  readonly id: AppId;
  readonly organization_id: OrganizationId;
  readonly next_seq: number;
  readonly vapid_public_key: string;
  readonly vapid_key_number: number;
}

interface OldPairDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly isDry: boolean;
}

/**
 * Gives the app the pair that the imported subscriptions are bound to: any other key's messages would be answered with
 * 403. An app without subscriptions takes it as its active one. Another keeps it as a retiring one beside its own, as
 * After a rotation: one such pair at a time. The app's lock decides between two imports.
 * @throws CliError where the app cannot have it, with what to do.
 */
export function takeOldPair(
  { database, sealer, isDry }: OldPairDeps,
  identifier: string,
  pair: VapidPair,
): Promise<TakenPair> {
  return database.transaction(async (sql) => {
    const [app] = await sql.query<App>(
      `SELECT id, organization_id, next_seq, vapid_public_key, vapid_key_number FROM apps
       WHERE identifier = $1 AND deleted_at IS NULL ${isDry ? '' : 'FOR UPDATE'}`,
      [identifier],
    );
    if (app === undefined) throw new CliError(`there is no app "${identifier}"`);
    const known = await knownPair(sql, app, identifier, pair);
    if (known !== null) return known;
    const isUnused = app.next_seq === 0;
    if (!isUnused && (await isRotating(sql, app.id))) throw thirdPair(identifier);
    if (isDry) return { number: null, state: isUnused ? 'active' : 'retiring', isNew: true };
    const key = { publicKey: pair.publicKey, privateKeySealed: sealer.seal(pair.privateKey, identifier) };
    if (isUnused) await replaceUnusedKey(sql, app.id, key);
    const number = isUnused ? app.vapid_key_number : await addRetiringKey(sql, app.id, key);
    await noteAdopted(sql, { id: app.id, organizationId: app.organization_id, identifier }, pair);
    return { number, state: isUnused ? 'active' : 'retiring', isNew: true };
  });
}

async function knownPair(sql: Sql, app: App, identifier: string, pair: VapidPair): Promise<TakenPair | null> {
  if (app.vapid_public_key === pair.publicKey)
    return { number: app.vapid_key_number, state: 'active', isNew: false };
  const [former] = await sql.query<{ number: number; state: string }>(
    `SELECT number, state FROM vapid_keys WHERE app_id = $1 AND public_key = $2 ORDER BY number DESC LIMIT 1`,
    [app.id, pair.publicKey],
  );
  if (former === undefined) return null;
  if (former.state === 'retiring') return { number: former.number, state: 'retiring', isNew: false };
  throw new CliError(
    `this key pair was ended for ${identifier}, and its subscriptions with it. Import into an app of its own: ` +
      'broadside apps create',
  );
}

const thirdPair = (identifier: string): CliError =>
  new CliError(
    `${identifier} has a retiring key pair beside its own already, and can have no third. End that one when few readers ` +
      'are left on it (on the app’s page “VAPID keys”, or DELETE /apps/{identifier}/vapid-keys/{key_id}), or import into ' +
      'an app of its own: broadside apps create',
  );
