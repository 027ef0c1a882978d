import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { commandActor, noteChange } from '../../auth/audit.ts';
import {
  type ExportedApp,
  exportedAsking,
  exportedCategories,
  exportedPictures,
  exportedSegments,
  exportedSubscriptions,
  findExportedApp,
  SEQS_PER_READ,
} from './export-store.ts';
import { FORMAT_VERSION, type TransferKey } from './format.ts';
import { lockKey } from './key-box.ts';

export interface ExportRequest {
  readonly app: string;
  /** Null: the private keys are written unencrypted. */
  readonly passphrase: string | null;
}

export interface ExportDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  /** Ends each line. */
  readonly write: (lines: readonly string[]) => Promise<void>;
  readonly onProgress: (doneSeqs: number, allSeqs: number, subscriptions: number) => void;
}

/**
 * Writes the app, some thousand subscriptions at a time: the file is not a snapshot of one moment, but it holds
 * every subscription that existed before the start and stayed.
 * @returns how many subscriptions.
 */
export async function exportApp(
  { app: identifier, passphrase }: ExportRequest,
  deps: ExportDeps,
): Promise<number> {
  const { database, write } = deps;
  const app = await findExportedApp(database, identifier);
  if (app === null) throw new CliError(`there is no app "${identifier}"`);
  await noteChange(database, commandActor(app.organization_id), {
    action: 'app.exported',
    subjectId: identifier,
    appId: app.id,
    detail: { keys: passphrase === null ? 'plain' : 'with passphrase' },
  });
  await write([headerOf(app, deps.sealer, passphrase)]);
  await write(await exportedPictures(database, app.id));
  await write(await exportedCategories(database, app.id));
  await write(await exportedSegments(database, app.id));
  await write(await exportedAsking(database, app.id));
  let subscriptions = 0;
  for (let from = 0; from < app.next_seq; from += SEQS_PER_READ) {
    const lines = await exportedSubscriptions(database, app.id, from);
    await write(lines);
    subscriptions += lines.length;
    deps.onProgress(Math.min(from + SEQS_PER_READ, app.next_seq), app.next_seq, subscriptions);
  }
  await write([JSON.stringify({ broadside: 'end', subscriptions })]);
  return subscriptions;
}

function headerOf(app: ExportedApp, sealer: Sealer, passphrase: string | null): string {
  const keys = app.keys.map(({ number, state, public_key, sealed }): TransferKey => {
    const plain = sealer.open(Buffer.from(sealed, 'hex'), app.identifier).toString();
    const private_key = passphrase === null ? plain : lockKey(plain, public_key, passphrase);
    return { number, state, public_key, private_key };
  });
  const { identifier, settings } = app;
  return JSON.stringify({
    broadside: 'app',
    version: FORMAT_VERSION,
    identifier,
    settings,
    vapid_keys: keys,
  });
}
