// tier: system, clickhouse
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReportReader } from '../../../reporting/answer/report-reader.ts';
import type { GenerateReport } from '../../../reporting/generate/generate.ts';
import { createTlsContext } from '../../../reporting/wire/tls.ts';
import { makeAuthority } from '../../support/authority.ts';
import { jdbcAvailability, jdbcLibraries } from '../../support/jdbc/libraries.ts';
import { createReportToken, everything, until } from '../support.ts';
import { createReportWorld, type ReportWorld, testBounds } from '../world.ts';
import { openWireOver, type WireWorld } from './support.ts';

const run = promisify(execFile);
const psql = await run('psql', ['--version']).then(
  () => true,
  () => false,
);
const java = jdbcAvailability();
if (!java.available && process.env.REQUIRE_KAFKA === '1') throw new Error(java.reason);

let world: ReportWorld;
let clear: WireWorld;
let encrypted: WireWorld;
let folder: string;
let token: string;
const held: AbortSignal[] = [];

beforeAll(async () => {
  world = await createReportWorld('embedded');
  token = await createReportToken(world.database, everything);
  await world.addRows([
    {
      at: '2026-01-30 10:00:00',
      domain: 'a.example',
      country: 'DE',
      currency: 'EUR',
      impressions: 1_000,
      earnings: '1.5',
    },
    {
      at: '2026-02-01 10:00:00',
      domain: 'a.example',
      country: 'AT',
      currency: 'EUR',
      impressions: 999_999_999_999_999,
      earnings: '12345678.12345678',
    },
    {
      at: '2026-02-02 10:00:00',
      domain: 'b.example',
      country: 'CH',
      currency: 'EUR',
      impressions: 500,
      earnings: '8',
    },
  ]);
  folder = await mkdtemp(join(tmpdir(), 'broadside-wire-'));
  const authority = await makeAuthority();
  const { cert, key } = await authority.issue({ name: 'reports', hosts: ['127.0.0.1', 'localhost'] });
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.certificate, cert);
  await writeFile(files.key, key);
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  clear = await openWireOver(world, { generateReport: holding() });
  encrypted = await openWireOver(world, { tls: createTlsContext(files, () => {}) });
});
afterAll(async () => {
  await clear.close();
  await encrypted.close();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** As reports are made, but one of `held.example` never ends by itself. */
function holding(): GenerateReport {
  const make = world.generateWith(createReportReader(world.clickhouse, testBounds));
  return async (request, access, signal) => {
    if (!JSON.stringify(request).includes('held.example')) return make(request, access, signal);
    held.push(signal);
    await once(signal, 'abort');
    return make(request, access, signal);
  };
}

const address = (port: number, rest: string): string =>
  `host=127.0.0.1 port=${port} user=reports dbname=broadside ${rest}`;
const environment = () => ({ ...process.env, PGPASSWORD: token });

async function ask(port: number, rest: string, ...commands: string[]): Promise<string> {
  const args = ['-X', address(port, rest), ...commands.flatMap((command) => ['-c', command])];
  return run('psql', args, { env: environment(), timeout: 30_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

describe.skipIf(!psql)('psql', () => {
  it('encrypts where there is a certificate, and goes on without where there is none', async () => {
    const { port } = encrypted.wire;
    expect(await ask(port, 'sslmode=require', '\\conninfo', 'SELECT 1')).toMatch(/SSL|TLS/);
    const verified = `sslmode=verify-full sslrootcert=${join(folder, 'ca.pem')}`;
    expect(await ask(port, verified, 'SELECT sum(impressions) FROM ad_statistics')).toContain(
      '1000000000001499',
    );
    expect(await ask(clear.wire.port, 'sslmode=prefer', 'SELECT 41 + 1 AS n')).toContain('42');
    expect(await ask(clear.wire.port, 'sslmode=require', 'SELECT 1')).toMatch(/does not support SSL/);
  });

  it('is shown where a statement is refused', async () => {
    const refused = await ask(clear.wire.port, '', "SELECT 'ü', domain, secret FROM ad_statistics");
    expect(refused).toMatch(/LINE 1: SELECT 'ü', domain, secret FROM[\s\S]*\n {28}\^/);
    expect(await ask(clear.wire.port, '', 'COPY ad_statistics TO STDOUT')).toMatch(/read-only/);
  });

  it('that is killed in the middle of its answer ends its query', async () => {
    const before = held.length;
    const child = spawn(
      'psql',
      [
        '-X',
        address(clear.wire.port, ''),
        '-c',
        "SELECT sum(impressions) FROM ad_statistics WHERE domain = 'held.example'",
      ],
      { env: environment(), stdio: 'ignore' },
    );
    await until(() => held.length > before);
    child.kill('SIGKILL');
    await until(() => held[before]?.aborted === true);
    expect(await ask(clear.wire.port, '', 'SELECT 1 AS one')).toContain('one');
  });
});

describe.skipIf(!java.available)('Postgres’ driver for Java', () => {
  it('describes the table, prepares, pages, cancels, and is refused', async () => {
    const source = fileURLToPath(new URL('../../support/jdbc/ReadReports.java', import.meta.url));
    const url = `jdbc:postgresql://127.0.0.1:${clear.wire.port}/broadside`;
    const libraries = await jdbcLibraries();
    const java = ['-XX:TieredStopAtLevel=1', '-cp', `${libraries}/*`, source, url, token];
    const { stdout } = await run('java', java, { timeout: 100_000 });
    const lines = stdout.trim().split('\n');
    const line = (what: string): string => lines.find((one) => one.startsWith(what)) ?? '';
    expect(line('tables')).toBe('tables ; public ad_statistics');
    expect(line('columns')).toMatch(
      /; day date 1 ; month text 2 .*; impressions int8 15 ; earnings numeric 16/,
    );
    expect(line('schemas')).toContain('; public');
    for (const none of ['keys', 'imported', 'indexes']) expect(line(none)).toBe(none);
    expect(line('privileges')).toBe('privileges ; SELECT');
    expect(lines.filter((one) => one.startsWith('row'))).toEqual(
      // Once as texts, once in binary form.
      Array.from({ length: 2 }, () => 'row 2026-01-30 a.example 1000 1.5 1.5'),
    );
    expect(line('pages')).toBe('pages 3');
    expect(line('cancelled')).toBe('cancelled 57014');
    expect(lines.filter((one) => one.startsWith('refused'))).toEqual(['refused 25006', 'refused 42883']);
  }, 120_000);
});
