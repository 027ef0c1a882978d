import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { EndpointPolicy } from '../../../engine/contract/push-service.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { brokenRules } from '../../../engine/kit/http/rules.ts';
import { findOrganizationNamed } from '../../account/organization/organizations/store.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';
import { newIdentifier } from '../../client/apps/create-app.ts';
import { appBody } from '../../client/apps/schema.ts';
import { insertApp } from '../../client/apps/store.ts';
import type { VapidPair } from '../../client/vapid-keys/new-pair.ts';
import {
  FORMAT_VERSION,
  OLDEST_VERSION,
  readHeader,
  type TransferHeader,
  type TransferKey,
} from './format.ts';
import {
  completeApp,
  findAppWithKey,
  type ImportedApp,
  insertFormerKey,
  keyNumbersOf,
  lockTransfer,
} from './import-store.ts';
import { unlockKey } from './key-box.ts';
import { parseVapidPair } from './vapid-pair.ts';

export interface ImportAppRequest {
  readonly organization: string;
  readonly passphrase: string | null;
}

export interface ImportAppDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly policy: EndpointPolicy;
}

export interface OpenedApp extends ImportedApp {
  /** False: it was there, from an import that is being repeated. */
  readonly made: boolean;
  /** Maps the file's key pair numbers to the app's. */
  readonly keyNumbers: ReadonlyMap<number, number>;
}

/** Makes the app of the file's first line, or finds the one that an earlier run made. */
export async function openApp(
  value: unknown,
  { organization, passphrase }: ImportAppRequest,
  { database, sealer }: ImportAppDeps,
): Promise<OpenedApp> {
  const header = headerOf(value);
  const pairs = header.vapid_keys.map((key) => ({ key, pair: pairOf(key, passphrase) }));
  const active = pairs.find(({ key }) => key.state === 'active');
  if (active === undefined) throw new CliError('the file names no active key pair');
  return database.transaction(async (sql) => {
    const organizationId = await findOrganizationNamed(sql, organization);
    if (organizationId === null) throw new CliError(`there is no organization "${organization}"`);
    await lockTransfer(sql, organizationId);
    const found = await findAppWithKey(sql, organizationId, active.pair.publicKey);
    const app = found ?? (await insertUnderFreeIdentifier(sql, sealer, header, active.pair, organizationId));
    if (found === null) {
      await completeApp(sql, app.id, active.key.number);
      for (const { key, pair } of pairs) {
        if (key.state === 'active') continue;
        await insertFormerKey(sql, app.id, key, sealer.seal(pair.privateKey, app.identifier));
      }
      const change = { action: 'app.imported', subjectId: app.identifier, appId: app.id } as const;
      await noteChange(sql, commandActor(organizationId), change);
    }
    return { ...app, made: found === null, keyNumbers: await mapNumbers(sql, app, header.vapid_keys) };
  });
}

function headerOf(value: unknown): TransferHeader {
  const { broadside, version } = (value ?? {}) as { broadside?: unknown; version?: unknown };
  const isKnown = Number(version) >= OLDEST_VERSION && Number(version) <= FORMAT_VERSION;
  if (broadside === 'app' && !isKnown) {
    throw new CliError(
      `the file has version ${String(version)}, and this Broadside knows ${OLDEST_VERSION} to ${FORMAT_VERSION}`,
    );
  }
  const header = readHeader(value);
  const broken = Object.values(brokenRules(appBody, header?.settings ?? {})).flat();
  if (header === null || broken.length > 0)
    throw new CliError(
      `the first line is not an app as "broadside apps export" writes it ${broken.join(' ')}`.trim(),
    );
  return header;
}

function pairOf(
  { public_key: publicKey, private_key: given }: TransferKey,
  passphrase: string | null,
): VapidPair {
  if (typeof given !== 'string' && passphrase === null)
    throw new CliError(
      'the keys in the file are encrypted: name the file with their passphrase with --passphrase-file',
    );
  const privateKey = typeof given === 'string' ? given : unlockKey(given, publicKey, passphrase ?? '');
  const pair = parseVapidPair(publicKey, privateKey);
  if (pair === null) throw new CliError('the file has an invalid key pair');
  return pair;
}

const MAX_TRIES = 5;

/** The file's identifier where it is free: its site's pages need no change then. */
async function insertUnderFreeIdentifier(
  sql: Sql,
  sealer: Sealer,
  { identifier: wanted, settings }: TransferHeader,
  pair: VapidPair,
  organizationId: NonNullable<Awaited<ReturnType<typeof findOrganizationNamed>>>,
): Promise<ImportedApp> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const identifier = tries === 0 ? wanted : newIdentifier(settings.name);
    const made = await insertApp(sql, {
      organizationId,
      identifier,
      vapidPublicKey: pair.publicKey,
      vapidPrivateKeySealed: sealer.seal(pair.privateKey, identifier),
      body: settings,
    });
    if (made !== null) return { id: made.id, identifier };
  }
  throw new Error(`no free identifier in ${MAX_TRIES} tries`);
}

async function mapNumbers(
  sql: Sql,
  app: ImportedApp,
  keys: readonly TransferKey[],
): Promise<ReadonlyMap<number, number>> {
  const here = await keyNumbersOf(sql, app.id);
  return new Map(
    keys.flatMap(({ number, public_key: publicKey }) => {
      const numberHere = here.get(publicKey);
      return numberHere === undefined ? [] : [[number, numberHere] as const];
    }),
  );
}
