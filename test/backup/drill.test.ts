// tier: system
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Delivered, deliver, plainDelivery } from '../../bench/stand/deliver.ts';
import { type Stand, startStand } from '../../bench/stand/stand.ts';
import { type BroadsideProcess, startBroadside } from '../support/broadside-process.ts';
import { until } from '../support/engine-harness.ts';
import { type CliRun, runCli } from '../support/run-cli.ts';

const SUBSCRIBERS = 6_000;
const BLOCKS_IN_FLIGHT = 2;
/** Of six: those whose readers are answered before the copy is there. */
const BLOCKS_BEFORE = 3;
const bin = fileURLToPath(new URL('../../api/bin.mjs', import.meta.url));

/** Small shards, so that some have ended, some run and some wait at the moment of the backup. */
const settings = {
  WORKER_THREADS: '1',
  SHARD_BLOCKS: '1',
  BLOCKS_IN_FLIGHT: String(BLOCKS_IN_FLIGHT),
  ANSWER_TIMEOUT_MS: '5000',
};

/** In order: each case goes on with what the one before left. */
describe('a Broadside that is backed up in the middle of a delivery, lost, and restored elsewhere', () => {
  let stand: Stand;
  let restored: BroadsideProcess | null = null;
  let folder: string;
  let first: Delivered;
  let second: number;
  /** Messages that the push service had accepted when the first Broadside died. */
  let acceptedAtDeath: number;

  const backup = () => join(folder, 'backup');
  const elsewhere = () => join(folder, 'elsewhere');
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> =>
    runCli(args, { cwd: folder, env: { ...stand.env, ...env } });
  const restore = (...args: readonly string[]): Promise<CliRun> =>
    run(['restore', backup(), '--json', ...args], { DATA_FOLDER: elsewhere() });
  const accepted = async (): Promise<number> => (await stand.pushService.ledger()).accepted;
  const internal = async (path: string): Promise<Record<string, unknown>> =>
    (await fetch(`${stand.internalUrl}/deliveries/${second}${path}`)).json() as never;

  beforeAll(async () => {
    stand = await startStand({
      subscribers: SUBSCRIBERS,
      verify: 'none',
      kafkaBrokers: null,
      env: settings,
      onStep: () => {},
    });
    folder = await mkdtemp(join(dirname(stand.dataFolder), 'backups-'));
    // The embedded Postgres runs as another user where we are root.
    await chmod(folder, 0o755);
    first = await deliver(stand, () => {});
  });
  afterAll(async () => {
    await restored?.stop();
    await stand?.close();
  });

  it('is copied while sending goes on', async () => {
    expect(first.books.clickhouse.accepted).toBe(SUBSCRIBERS);
    const slow = { action: { kind: 'latency', ms: 1_000 } } as const;
    // The others wait for the copy: on a busy machine the delivery would end before it.
    const heldBack = { action: { kind: 'hang' }, from: BLOCKS_BEFORE * 1_024 } as const;
    await stand.pushService.setFaults([heldBack, slow]);
    await stand.pushService.mark('second');
    const { data } = await stand.client.post<{ data: { id: number } }>(
      `/apps/${stand.appIdentifier}/deliveries`,
      plainDelivery,
    );
    second = data.id;
    await until('a tenth', async () => (await accepted()) > SUBSCRIBERS / 10);
    const { code, out, err } = await run(['backup', backup(), '--json']);
    expect(code, err).toBe(0);
    const taken = JSON.parse(out);
    expect(taken.keys).toEqual(['keys/master.key']);
    expect(taken.left_out.map(({ what }: { what: string }) => what)).toContain('the log on Postgres');
    const atBackup = await accepted();
    await stand.pushService.setFaults([slow]);
    await until('more is sent', async () => (await accepted()) > atBackup || atBackup === SUBSCRIBERS);
    await stand.broadside.kill();
    acceptedAtDeath = await accepted();
    // Otherwise this would be no backup in the middle of a delivery.
    expect(atBackup).toBeLessThan(SUBSCRIBERS);
  });

  it('is not restored over anything', async () => {
    const { code, err } = await run(['restore', backup()]);
    expect([code, err]).toEqual([1, expect.stringContaining('is not empty')]);
    expect(await readdir(stand.dataFolder)).toContain('postgres');
  });

  it('is not restored from a damaged backup, and the target stays as it was', async () => {
    const file = join(backup(), 'postgres', 'subscriptions.copy.zst');
    const whole = await readFile(file);
    await appendFile(file, 'x');
    const { code, err } = await restore();
    expect([code, err]).toEqual([1, expect.stringContaining('subscriptions.copy.zst is not the file')]);
    expect(await readdir(elsewhere()).catch(() => 'nothing')).toBe('nothing');
    await writeFile(file, whole);
  });

  it('starts nowhere on a restore that died, which only another one can end', async () => {
    const child = spawn(process.execPath, [bin, 'restore', backup()], {
      env: { PATH: process.env.PATH ?? '', ...stand.env, DATA_FOLDER: elsewhere() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    await until('rows come in', async () => said.includes('Restoring: 10%'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const start = await run(['up'], { DATA_FOLDER: elsewhere() });
    expect([start.code, start.err]).toEqual([1, expect.stringContaining('has not ended')]);
    const again = await restore();
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('has not ended')]);
  });

  it('is restored, says what goes on, and its books agree', async () => {
    const { code, out, err } = await restore('--overwrite');
    expect(code, `${err}${out}`).toBe(0);
    const { books, ...said } = { books: JSON.parse(out), ...JSON.parse(out) };
    expect(books).toMatchObject({ compared: 2, differences: [] });
    expect(said.unfinished).toMatchObject([{ delivery: second, status: 'processing', total: SUBSCRIBERS }]);
    expect(said.unfinished[0].accepted).toBeLessThan(SUBSCRIBERS);

    await stand.pushService.setFaults([]);
    restored = await startBroadside({
      args: ['up'],
      env: { ...stand.env, DATA_FOLDER: elsewhere() },
      readyUrl: `${stand.internalUrl}/health/ready`,
    });
    await until('the end', async () => (await internal('')).status === 'success');
    await until('its record', async () => Number((await internal('/recorded')).accepted) >= SUBSCRIBERS);
    expect(await internal('')).toMatchObject({ success_count: SUBSCRIBERS, failed_count: 0 });
    expect(await internal('/recorded')).toEqual({
      accepted: SUBSCRIBERS,
      attempts: expect.objectContaining({ accepted: SUBSCRIBERS }),
    });
    const ledger = await stand.pushService.ledger();
    expect(ledger.distinct).toBe(SUBSCRIBERS);
    // What was sent after the moment of the backup is sent again, and what was in flight when the process died.
    const again = acceptedAtDeath - said.unfinished[0].accepted + BLOCKS_IN_FLIGHT * 1_024;
    expect(ledger.duplicates).toBeLessThanOrEqual(again);
  });

  it('leaves nothing of a backup that Ctrl-C stopped', async () => {
    const child = spawn(process.execPath, [bin, 'backup', join(folder, 'stopped')], {
      env: { PATH: process.env.PATH ?? '', ...stand.env, DATA_FOLDER: elsewhere() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    await until('a folder', async () => (await readdir(folder)).some((name) => name.startsWith('stopped')));
    child.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    expect((await readdir(folder)).filter((name) => name.startsWith('stopped'))).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
