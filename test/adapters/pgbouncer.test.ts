// tier: system
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { checkPostgres } from '../../api/cli/doctor/postgres.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { PoolerRefused, refusePooler } from '../../engine/adapters/postgres/refuse-pooler.ts';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { createPool, prepareDatabase } from '../../engine/kit/roles/open-parts.ts';
import { describePgBouncer } from '../support/describe-pgbouncer.ts';
import { until } from '../support/engine-harness.ts';

/** It does not run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Bouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param ignored settings that a client may ask for, and does not get. */
async function startBouncer(ignored: string): Promise<Bouncer> {
  const server = new URL(inject('postgresUrl'));
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-pgbouncer-'));
  await chmod(folder, 0o755);
  const target = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password} dbname=postgres`;
  const lines = [
    ...['[databases]', `pooled = ${target}`, '[pgbouncer]', 'listen_addr = 127.0.0.1'],
    ...[`listen_port = ${port}`, 'auth_type = any', 'pool_mode = transaction', 'unix_socket_dir ='],
    ...['logfile =', 'pidfile =', `ignore_startup_parameters = ${ignored}`],
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  const bouncer = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { ...nobody, stdio: 'ignore' });
  return {
    url: `postgres://anybody@127.0.0.1:${port}/pooled`,
    stop: async () => {
      const gone = once(bouncer, 'exit');
      bouncer.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describePgBouncer('a PgBouncer in transaction mode', () => {
  let bouncer: Bouncer;
  let url: string;

  beforeAll(async () => {
    bouncer = await startBouncer('statement_timeout, idle_in_transaction_session_timeout, options');
    ({ url } = bouncer);
    const database = createPool(url, 'broadside-test', 1);
    await until('it answers', () => database.ping());
    await database.close();
  });
  afterAll(() => bouncer.stop());

  it('is refused at the start of every role, with the reason, instead of being waited for', async () => {
    const database = createPool(url, 'broadside-test', 1);
    const logger = createLogger({ level: 'silent', format: 'json', role: 'test' });
    const patience = { logger, signal: AbortSignal.timeout(60_000) };
    await expect(prepareDatabase(url, database, patience)).rejects.toThrow(
      /pooler such as PgBouncer.*sessions/,
    );
    await database.close();
  });

  it('is named by the doctor, who says what to do', async () => {
    const database = createPool(url, 'broadside-test', 1);
    const found = (await checkPostgres(database, url)).filter(({ state }) => state === 'problem');
    expect(found).toContainEqual({
      state: 'problem',
      text: 'a pooler such as PgBouncer stands before Postgres',
      mend: 'Let DATABASE_URL name Postgres itself.',
    });
    await database.close();
  });

  it('is refused with the same reason where it takes no settings of a session, as it comes', async () => {
    const asItComes = await startBouncer('extra_float_digits');
    onTestFinished(() => asItComes.stop());
    const refusal = async (): Promise<unknown> =>
      refusePooler(asItComes.url).catch((error: unknown) => error);
    // Until it listens.
    await until('it answers', async () => ((await refusal()) as { code?: string }).code !== 'ECONNREFUSED');
    expect(await refusal()).toBeInstanceOf(PoolerRefused);
  });

  it('is not Postgres, which is let through', async () => {
    await refusePooler(inject('postgresUrl'));
  });
});
