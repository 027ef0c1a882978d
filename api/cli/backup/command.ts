import type { Command } from 'commander';
import { untilStopped } from '../../../engine/kit/command-line/until-stopped.ts';
import { readBackupConfig } from '../../settings/config.ts';
import { leftOut, printBackup, printRestore } from './print.ts';
import { createProgress, type Progress } from './progress.ts';
import type { BackupParts } from './statistics.ts';

const backupHelp = `
Run it with the settings of the roles, on the machine of the data folder if there is one. Sending goes on. The rows of
Postgres and ClickHouse are of one moment, at which every outcome is in ClickHouse or in Postgres' outbox; to get there,
outcomes wait in the outbox for about a second. What is not included, and why, is printed at the end.

The folder may hold master keys: keep it as you keep them, or use --without-keys. It has its name once it is whole; a
backup that died leaves FOLDER.partial-…, which restore refuses.

Exit codes: 0 whole, 1 error, 2 wrong command, 130 stopped by Ctrl-C (nothing is left).

Examples:
  broadside backup /backups/2030-01-31
  broadside backup /backups/2030-01-31 --without-keys --json`;

const restoreHelp = `
The target is where DATABASE_URL, CLICKHOUSE_URL and DATA_FOLDER say; it must be empty, and no Broadside may run there.
Versions and checksums are checked before anything is changed. A restore that died leaves a mark, and no role starts
there until another one, with --overwrite, has ended.

At the end the books are compared: each delivery whose accepted messages are not the same in Postgres and ClickHouse is
named, and each one that goes on when Broadside starts. What was sent after the moment of the backup is not in it, and
is sent again.

Exit codes: 0 restored and the books agree, 1 error, 2 wrong command, 3 restored and the books differ, 130 stopped by
Ctrl-C.

Examples:
  DATA_FOLDER=data-restored broadside restore /backups/2030-01-31
  broadside restore /backups/2030-01-31 --overwrite --json`;

const EXIT_DIFFERENCES = 3;

export function addBackupCommand(program: Command, version: string, parts: BackupParts): void {
  program
    .command('backup')
    .description('Copies everything that is stored into a folder, while Broadside runs.')
    .argument('<folder>', 'a folder that does not exist yet')
    .option('--without-keys', 'leave the master keys of the data folder out')
    .option('--json', 'print one JSON object')
    .addHelpText('after', backupHelp)
    .action((folder: string, options: { readonly withoutKeys?: boolean; readonly json?: boolean }) =>
      withProgress(async (progress, signal) => {
        const config = readBackupConfig();
        const startedAt = performance.now();
        const { takeBackup } = await import('./take.ts');
        const withKeys = options.withoutKeys !== true;
        const taken = await takeBackup({ config, folder, withKeys, version, parts, progress, signal });
        progress.stop();
        const elapsedMs = performance.now() - startedAt;
        printBackup(
          { ...taken, folder, elapsedMs, leftOut: leftOut(config, withKeys) },
          options.json === true,
        );
      }),
    );
}

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('Fills empty databases, or an empty data folder, from a backup.')
    .argument('<folder>', 'the folder of the backup')
    .option('--overwrite', 'first remove everything that the target holds')
    .option('--json', 'print one JSON object')
    .addHelpText('after', restoreHelp)
    .action((folder: string, options: { readonly overwrite?: boolean; readonly json?: boolean }) =>
      withProgress(async (progress, signal) => {
        const config = readBackupConfig();
        const startedAt = performance.now();
        const { restoreBackup } = await import('./restore.ts');
        const overwrite = options.overwrite === true;
        const restored = await restoreBackup({ config, folder, overwrite, progress, signal });
        progress.stop();
        printRestore(
          { ...restored, folder, elapsedMs: performance.now() - startedAt },
          options.json === true,
        );
        if (restored.books.differences.length > 0) process.exitCode = EXIT_DIFFERENCES;
      }),
    );
}

async function withProgress(work: (progress: Progress, signal: AbortSignal) => Promise<void>): Promise<void> {
  await untilStopped(async (signal) => {
    const progress = createProgress();
    try {
      await work(progress, signal);
    } finally {
      progress.stop();
    }
  });
}
