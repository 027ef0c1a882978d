import { dirname, join } from 'node:path';
import { createSay } from '../command-options.ts';
import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { runBroadside } from '../stand/cli.ts';
import { deliver } from '../stand/deliver.ts';
import { startStand } from '../stand/stand.ts';

/** Encryption is not what is measured. */
const KEY_PAIRS = 1_000;

interface Said {
  readonly elapsed_ms: number;
}

/** @returns the exit code. */
export async function runBackupBench(subscribers: number, output: Output): Promise<number> {
  const say = createSay(output);
  const stand = await startStand({
    ...{ subscribers, verify: 'none', keyPairs: KEY_PAIRS, kafkaBrokers: null },
    onStep: say,
  });
  try {
    say('sending a delivery');
    await deliver(stand, () => {});
    const folder = join(dirname(stand.dataFolder), 'backup');
    say('backing up');
    const taken = JSON.parse(await stand.cli(['backup', folder, '--json'])) as Said & {
      readonly held_ms: number;
      readonly bytes: number;
      readonly rows: { readonly postgres: number; readonly clickhouse: number };
    };
    say('restoring');
    const env = { ...stand.env, DATA_FOLDER: join(dirname(stand.dataFolder), 'restored') };
    const restored = JSON.parse(await runBroadside(['restore', folder, '--json'], env)) as Said;
    const row = {
      subscribers,
      rows_of_postgres: taken.rows.postgres,
      rows_of_clickhouse: taken.rows.clickhouse,
      megabytes: Math.ceil(taken.bytes / 1_000_000),
      backup_s: taken.elapsed_ms / 1_000,
      held_s: taken.held_ms / 1_000,
      restore_s: restored.elapsed_ms / 1_000,
    };
    await showReport(
      {
        title: 'npm run bench -- backup',
        lines: [row],
        tables: [{ heads: Object.keys(row), rows: [Object.values(row)] }],
        notes: ['Broadside runs meanwhile, on the same machine, with nothing to send.'],
        charts: [],
      },
      output,
    );
    return 0;
  } finally {
    await stand.close();
  }
}
