import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import {
  createSealer,
  MASTER_KEY_BYTES,
  type MasterKeys,
  masterKeyId,
  type Sealer,
} from '../../../engine/adapters/postgres/sealed-secret.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { print, printJson, printNote, say } from '../../../engine/kit/command-line/terminal.ts';
import { type MasterKeyConfig, readMasterKeyConfig } from '../../settings/config.ts';
import { addMasterKey } from '../../up/data-folder.ts';
import { masterKeysOf } from './keys.ts';
import { countSealed, countToReseal, noteMasterKey, proofsUntil, resealAll } from './reseal.ts';

interface Options {
  readonly json?: boolean;
  readonly database?: string;
}

const help = `
To change the key without downtime:

  broadside up, its key in the data folder:
    1. broadside master-key new       the new key is the current one, the old one may still open
    2. restart broadside up
    3. broadside master-key rotate

  roles of their own, with MASTER_KEY:
    1. broadside master-key new       prints a key
    2. add it to MASTER_KEYS_OLD everywhere, and restart: every process can read what it will seal
    3. make it MASTER_KEY everywhere, with the old one in MASTER_KEYS_OLD, and restart
    4. broadside master-key rotate

rotate may be stopped and run again at any time, and engines go on sending meanwhile. It and
"master-key status" say when the old key may be removed.

Examples:
  broadside master-key status
  broadside master-key new
  broadside master-key rotate --json`;

export function addMasterKeyCommand(program: Command): void {
  const command = program
    .command('master-key')
    .description('The key that seals the private keys of apps: status, new, rotate.')
    .addHelpText('afterAll', help);
  const add = (name: string, description: string, action: (options: Options) => Promise<void>) =>
    command
      .command(name)
      .description(description)
      .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
      .option('--json', 'print one JSON object')
      .action(action);
  add('status', 'Shows how many secrets each key seals.', showStatus);
  add('new', 'Makes a new key.', makeKey);
  add('rotate', 'Reseals every secret with the current key.', rotate);
}

async function makeKey(options: Options): Promise<void> {
  const config = readMasterKeyConfig(options.database);
  if (config.masterKey === null && config.databaseUrl === null) {
    const keyId = masterKeyId(Buffer.from(await addMasterKey(config.dataFolder), 'base64')).toString('hex');
    if (options.json === true) return printJson({ key_id: keyId });
    print(`The data folder has the new key ${keyId}.`);
    printNote('Now restart broadside up, and then run: broadside master-key rotate');
    return;
  }
  const key = randomBytes(MASTER_KEY_BYTES).toString('base64');
  say(options.json, { key }, key);
  printNote('Add it to MASTER_KEYS_OLD everywhere first; broadside master-key --help has the steps.');
}

async function rotate(options: Options): Promise<void> {
  const config = readMasterKeyConfig(options.database);
  const keys = await masterKeysOf(config);
  await withDatabase(config, async (database) => {
    const sealer = createSealer(keys.current, keys.old);
    const total = await countToReseal(database, sealer);
    await noteMasterKey(database, masterKeyId(keys.current));
    const resealed = await resealAll(database, sealer, (done) =>
      printNote(`${done} of ${Math.max(total, done)} resealed`),
    );
    await printStatus(database, sealer, keys, options, { resealed });
  });
}

async function showStatus(options: Options): Promise<void> {
  const config: MasterKeyConfig = readMasterKeyConfig(options.database);
  const keys = await masterKeysOf(config);
  const sealer = createSealer(keys.current, keys.old);
  await withDatabase(config, (database) => printStatus(database, sealer, keys, options, {}));
}

async function printStatus(
  database: Database,
  sealer: Sealer,
  keys: MasterKeys,
  options: Options,
  more: object,
): Promise<void> {
  const names = new Map(keys.old.map((key) => [createSealer(key).currentHeader.toString('hex'), 'old']));
  names.set(sealer.currentHeader.toString('hex'), 'current');
  const sealed = (await countSealed(database)).map(({ header, values }) => {
    const state = names.get(header.toString('hex'));
    return {
      key_id: state === undefined ? null : header.toString('hex', 4),
      state: state ?? 'unnamed',
      values,
    };
  });
  const counts = [...mergeUnnamed(sealed)];
  const keyId = masterKeyId(keys.current);
  const until = await proofsUntil(database, keyId);
  const done = sealed.every(({ state }) => state === 'current');
  if (options.json === true) {
    const answer = {
      ...more,
      key_id: keyId.toString('hex'),
      sealed: counts,
      old_keys_needed_until: done ? until : null,
    };
    printJson(answer);
    return;
  }
  print(`The current key is ${keyId.toString('hex')}.`);
  for (const { key_id, state, values } of counts)
    print(`${values} sealed with ${key_id ?? 'another key'} (${state})`);
  print(adviceOf(done, keys.old.length, until));
}

interface Counted {
  readonly key_id: string | null;
  readonly state: string;
  readonly values: number;
}

/** Values sealed before keys had ids begin with anything. */
function* mergeUnnamed(counts: readonly Counted[]): Generator<Counted> {
  yield* counts.filter(({ state }) => state !== 'unnamed');
  const unnamed = counts.filter(({ state }) => state === 'unnamed');
  const values = unnamed.reduce((sum, each) => sum + each.values, 0);
  if (values > 0) yield { key_id: null, state: 'unnamed', values };
}

function adviceOf(done: boolean, oldKeys: number, until: Date | null): string {
  if (!done) return 'Old keys are still needed: run broadside master-key rotate.';
  if (oldKeys === 0) return 'There is no old key.';
  if (until === null)
    return 'Run broadside master-key rotate once, to note since when the current key is used.';
  const day = until.toISOString().slice(0, 10);
  return until.getTime() <= Date.now()
    ? 'Nothing needs the old keys: you can remove them.'
    : `No secret needs the old keys. Keep them until ${day}: until then browsers report on notifications sent under them.`;
}
