import { counted } from '../../../engine/contract/counted.ts';
import { number } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { BackupConfig } from '../../settings/config.ts';
import type { Restored } from './restore.ts';
import type { Taken } from './take.ts';

export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

/** What a backup does not hold, for people. */
export function leftOut(config: BackupConfig, withKeys: boolean): LeftOut[] {
  const log = config.logBackend === 'kafka' ? 'the topics of Kafka' : 'the log on Postgres';
  const hasFolderKey = config.masterKey === null;
  return [
    {
      what: log,
      why: 'what Postgres still needs there it publishes again, and every outcome had reached ClickHouse; events that browsers reported in that second are missing',
    },
    {
      what: 'counts of requests, cached analytics, progress curves',
      why: 'they are made again, and are empty after a crash of Postgres, too',
    },
    { what: 'settings (the environment, .env)', why: 'they are yours, and may differ where you restore' },
    ...(hasFolderKey && withKeys
      ? []
      : [
          {
            what: hasFolderKey ? 'the master keys of the data folder' : 'MASTER_KEY',
            why: hasFolderKey
              ? 'you asked for it: keep master.key and master.keys-old apart'
              : 'it is a setting: keep it apart; without it no app can sign',
          },
        ]),
  ];
}

type Backup = Taken & {
  readonly folder: string;
  readonly elapsedMs: number;
  readonly leftOut: readonly LeftOut[];
};

export function printBackup(backup: Backup, asJson: boolean): void {
  const { manifest, folder, bytes, heldMs, elapsedMs } = backup;
  const rows = {
    postgres: rowsOf(manifest.postgres.tables),
    clickhouse: rowsOf(manifest.clickhouse.tables),
  };
  if (asJson) {
    const times = { elapsed_ms: Math.round(elapsedMs), held_ms: Math.round(heldMs) };
    const keys = manifest.keys.map(({ path }) => path);
    const { taken_at } = manifest;
    printJson({ folder, taken_at, rows, keys, bytes, ...times, left_out: backup.leftOut });
    return;
  }
  print(
    `${folder} holds everything as of ${manifest.taken_at}: ${counted(rows.postgres, 'row')} of Postgres, ` +
      `${number(rows.clickhouse)} of ClickHouse${manifest.keys.length > 0 ? ', the master keys' : ''}; ` +
      `${number(Math.ceil(bytes / 1_000_000))} MB in ${seconds(elapsedMs)}. Outcomes were held for ${seconds(heldMs)}.`,
  );
  print('Not included:');
  for (const { what, why } of backup.leftOut) print(`  ${what}: ${why}`);
}

const rowsOf = (tables: readonly { readonly rows: number }[]): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Deliveries that are named in text; JSON names all. */
const MOST_NAMED = 50;

export function printRestore(
  {
    manifest,
    requeued,
    books,
    folder,
    elapsedMs,
  }: Restored & { readonly folder: string; readonly elapsedMs: number },
  asJson: boolean,
): void {
  if (asJson) {
    const elapsed_ms = Math.round(elapsedMs);
    printJson({ folder, taken_at: manifest.taken_at, requeued, ...books, elapsed_ms });
    return;
  }
  print(`Restored ${folder}, of ${manifest.taken_at}, in ${seconds(elapsedMs)}.`);
  print(
    books.differences.length === 0
      ? `The books agree: ${counted(books.compared, 'delivery', 'deliveries')} compared.`
      : `The books differ on ${number(books.differences.length)} of ${counted(books.compared, 'delivery', 'deliveries')}:`,
  );
  for (const one of books.differences.slice(0, MOST_NAMED)) {
    print(
      `  delivery ${one.delivery} of ${one.app} (${one.status}): accepted ${number(one.in_postgres)} in Postgres, ` +
        `${number(one.in_clickhouse)} in ClickHouse, ${number(one.in_outbox)} on their way there`,
    );
  }
  if (books.unfinished.length > 0) print('When Broadside starts, these go on:');
  for (const { delivery, app, status, total, accepted, failed } of books.unfinished.slice(0, MOST_NAMED)) {
    print(
      `  delivery ${delivery} of ${app} (${status}): ${number(accepted)} accepted and ${number(failed)} failed of ${number(total)}`,
    );
  }
  print(
    `${counted(requeued.deliveries, 'delivery', 'deliveries')} and ${counted(requeued.shards, 'shard')} of the log go onto it again.`,
  );
  print('What was sent after that moment is sent again.');
}
