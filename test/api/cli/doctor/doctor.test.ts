// tier: system
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksOf } from '../../../../api/cli/doctor/checks.ts';
import { judgeClickHouse } from '../../../../api/cli/doctor/clickhouse.ts';
import { checkFolder } from '../../../../api/cli/doctor/disk.ts';
import { examine, ok } from '../../../../api/cli/doctor/finding.ts';
import type { DoctorParts } from '../../../../api/cli/doctor/parts.ts';
import { hostsToAsk } from '../../../../api/cli/doctor/push-services.ts';
import { freePort } from '../../../../engine/adapters/postgres/free-port.ts';
import { knownPushHosts } from '../../../../engine/contract/push-service.ts';
import { makeAuthority } from '../../../support/authority.ts';
import { buildApp } from '../../../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { examineWith, healthy } from './support.ts';

const noFacts = {
  ...{ internalHost: '127.0.0.1', internalPort: 0 },
  ...{ pushServiceCaFile: null, jobsFolder: null, publicBaseUrl: null },
  ...{ reportWirePort: null, reportWireHost: '127.0.0.1' },
  ...{ reportWireCertificateFile: null, reportWireAllowClearText: false },
};

describe('broadside doctor', () => {
  let db: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    db = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'broadside-doctor-'));
    await buildApp(db.database);
  });
  afterAll(async () => {
    await db?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const broken = async (sql: string, work: () => Promise<void>, mended: string): Promise<void> => {
    await db.database.query(sql);
    try {
      await work();
    } finally {
      await db.database.query(mended);
    }
  };

  it('finds nothing wrong where nothing is, and says it as a table for people', async () => {
    const { code, wrong, findings } = await examineWith(healthy(db.url));
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(code).toBe(0);
    expect(wrong('postgres')).toEqual([]);
    expect(findings.map(({ area }) => area)).toEqual(expect.arrayContaining(['clock', 'encryption', 'disk']));
    const { out } = await runCliHere(['doctor'], { cwd: tmpdir(), env: healthy(db.url) });
    expect(out).toMatch(/^postgres +ok +Postgres \d+\.\d+ answers/m);
    expect(out).toMatch(/^encryption +ok +messages are encrypted by \w+; its self-test passed$/m);
    expect(out).toMatch(/\d+ ok\.\n$/);
  });

  it('names a wrong password and how to fix it, and prints no secret', async () => {
    const url = new URL(db.url);
    url.password = 'not-the-password';
    const { code, out, err, wrong } = await examineWith(healthy(url.href));
    expect(code).toBe(1);
    expect(wrong('postgres')).toEqual([
      {
        ...{ area: 'postgres', state: 'problem' },
        text: expect.stringContaining('password authentication failed'),
        mend: 'Correct the user or the password in DATABASE_URL.',
      },
    ]);
    expect(wrong('clock')).toMatchObject([{ state: 'skipped', text: 'Postgres does not answer' }]);
    for (const secret of [url.password, healthy(db.url).MASTER_KEY ?? 'none'])
      expect(out + err).not.toContain(secret);
  });

  it('names a server that is unavailable, and a database that is not there', async () => {
    const port = await freePort();
    const nowhere = await examineWith(healthy(`postgres://u:p@127.0.0.1:${port}/db`));
    expect(nowhere.wrong('postgres')).toMatchObject([
      { state: 'problem', mend: expect.stringContaining('whether the server runs') },
    ]);
    const other = new URL(db.url);
    other.pathname = '/not-made-yet';
    expect((await examineWith(healthy(other.href))).wrong('postgres')).toMatchObject([
      {
        text: expect.stringContaining('does not exist'),
        mend: expect.stringContaining('Create the database'),
      },
    ]);
  });

  it('names a table that is missing, and one that a newer release made', async () => {
    await broken(
      'ALTER TABLE drafts RENAME TO lost',
      async () => {
        const { code, wrong } = await examineWith(healthy(db.url));
        expect(wrong('postgres')).toMatchObject([{ state: 'problem', text: 'tables are missing: drafts' }]);
        expect(code).toBe(1);
      },
      'ALTER TABLE lost RENAME TO drafts',
    );
    await broken(
      `INSERT INTO schema_migrations (name, run_on) VALUES ('9999_tomorrow', now())`,
      async () =>
        expect((await examineWith(healthy(db.url))).wrong('postgres')).toMatchObject([
          { state: 'problem', text: expect.stringContaining('9999_tomorrow') },
        ]),
      `DELETE FROM schema_migrations WHERE name = '9999_tomorrow'`,
    );
  });

  it('sees that the clock of Postgres is an hour ahead', async () => {
    const name = new URL(db.url).pathname.slice(1);
    await db.database.query('CREATE SCHEMA fast');
    await db.database.query(`CREATE FUNCTION fast.clock_timestamp() RETURNS timestamptz
      LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$`);
    await broken(
      `ALTER DATABASE ${name} SET search_path = fast, pg_catalog, public`,
      async () =>
        expect((await examineWith(healthy(db.url))).wrong('clock')).toMatchObject([
          { state: 'problem', text: expect.stringMatching(/Postgres is 3,(600|599|601) s ahead/) },
        ]),
      `ALTER DATABASE ${name} RESET search_path`,
    );
  });

  it('names wrong settings of each role, once, and misspelt ones, and checks the rest all the same', async () => {
    const wrong = { VAPID_SUBJECT: 'mailto:push@localhost', API_PROT: '1', LEASE_MS: '5' };
    const examined = await examineWith({ ...healthy(db.url), ...wrong });
    const texts = examined.wrong('settings').map(({ text }) => text);
    expect(texts.filter((text) => text.includes('VAPID_SUBJECT'))).toHaveLength(1);
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringContaining('LEASE_MS'),
        'API_PROT is not a setting. Did you mean API_PORT?',
      ]),
    );
    expect(examined.wrong('vapid')).toMatchObject([{ state: 'problem' }]);
    expect(examined.wrong('postgres')).toEqual([]);
    expect(examined.code).toBe(1);
  });

  it('asks of a role alone only what that role needs', async () => {
    const { MASTER_KEY: _, ...env } = healthy(db.url);
    const settingsOf = async (role: string) => {
      const { out } = await runCliHere(['doctor', '--json', '--role', role], { cwd: tmpdir(), env });
      const { findings } = JSON.parse(out) as Awaited<ReturnType<typeof examineWith>>;
      return findings.filter(({ area }) => area === 'settings');
    };
    expect(await settingsOf('reporting')).toMatchObject([{ state: 'ok' }]);
    expect(await settingsOf('engine')).toMatchObject([
      { text: expect.stringMatching(/^MASTER_KEY is missing/) },
    ]);
  });

  it('names apps that have no contact, and keys that the master key does not open', async () => {
    const { VAPID_SUBJECT: _, ...env } = healthy(db.url);
    await broken(
      `UPDATE apps SET site_domain = 'http://shop.example'`,
      async () =>
        expect((await examineWith(env)).wrong('vapid')).toMatchObject([
          { state: 'warning', mend: expect.stringContaining('Set VAPID_SUBJECT') },
        ]),
      `UPDATE apps SET site_domain = 'https://shop.example'`,
    );
    const other = { ...healthy(db.url), MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect((await examineWith(other)).wrong('vapid')).toMatchObject([
      { state: 'problem', text: expect.stringMatching(/^1 of 1 sealed keys/) },
    ]);
  });

  it('says when the timezones of ClickHouse are older than ours', () => {
    const state = {
      ...{ version: '25.1', nowMs: 0, pending: [], newer: [], missingTables: [], disk: null },
    };
    const texts = (zones: string | null) => judgeClickHouse({ ...state, zones }, '').map(({ text }) => text);
    expect(texts('2000a')).toContainEqual(
      expect.stringContaining(`its timezones are of 2000a, older than Broadside's (${process.versions.tz})`),
    );
    expect(texts(process.versions.tz ?? '')).toHaveLength(2);
    expect(texts(null)).toHaveLength(2);
  });

  it('judges a disk by the limits of the alerts', async () => {
    const disk = (free: number) =>
      checkFolder('data folder', folder, 'Free some space.', async () => ({
        ...{ bavail: free, blocks: 100, bsize: 2 ** 30 },
      }));
    expect(await disk(50)).toMatchObject({
      state: 'ok',
      text: `data folder ${folder}: 50.0 of 100.0 GB free`,
    });
    expect(await disk(10)).toMatchObject({ state: 'warning', mend: 'Free some space.' });
    expect(await disk(2)).toMatchObject({ state: 'problem' });
    expect(await checkFolder('data folder', folder, '')).toMatchObject({
      text: expect.stringContaining('GB free'),
    });
  });

  describe('at the push services', () => {
    it('asks each known one once, and those that the operator named', () => {
      expect(hostsToAsk(knownPushHosts)).toEqual([
        'fcm.googleapis.com',
        'updates.push.services.mozilla.com',
        'web.push.apple.com',
      ]);
      expect(hostsToAsk(['fcm.googleapis.com', 'push.example.com:8443'])).toEqual([
        'fcm.googleapis.com',
        'push.example.com:8443',
      ]);
    });

    it('shakes hands and sends nothing; a certificate that is not trusted, and one that is unavailable, are named', async () => {
      const authority = await makeAuthority();
      const pair = await authority.issue({ name: 'push', hosts: ['localhost'] });
      let bytes = 0;
      const server = createTlsServer({ ...pair, ALPNProtocols: ['h2'] }, (socket) => {
        socket.on('data', (chunk) => {
          bytes += chunk.length;
        });
        socket.on('error', () => {});
      });
      await once(server.listen(0), 'listening');
      const host = `localhost:${(server.address() as AddressInfo).port}`;
      const ca = join(folder, 'ca.pem');
      await writeFile(ca, authority.cert);
      const env = { ...healthy(db.url), PUSH_SERVICE_HOSTS: host };
      const trusted = await examineWith({ ...env, PUSH_SERVICE_CA_FILE: ca });
      expect(trusted.findings).toContainEqual(expect.objectContaining({ text: `${host} answers (h2)` }));
      expect((await examineWith(env)).wrong('push services')).toMatchObject([
        { state: 'problem', mend: expect.stringContaining('ends its TLS') },
      ]);
      expect(bytes).toBe(0);
      server.close();
      await once(server, 'close');
      expect((await examineWith(env)).wrong('push services')).toMatchObject([
        { text: 'this machine is offline: no push service can be reached' },
      ]);
    });
  });

  describe('at the engine of this machine', () => {
    const listen = async (server: Server): Promise<string> => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return String((server.address() as AddressInfo).port);
    };

    it('says which of its checks fail', async () => {
      const server = createServer((_, response) =>
        response.writeHead(503, { connection: 'close' }).end('{"log":false}'),
      );
      const env = { ...healthy(db.url), INTERNAL_PORT: await listen(server) };
      expect((await examineWith(env)).wrong('process')).toMatchObject([
        { state: 'problem', text: expect.stringContaining('{"log":false}') },
      ]);
      server.close();
      await once(server, 'close');
      expect((await examineWith(env)).wrong('process')).toMatchObject([
        { state: 'skipped', text: expect.stringContaining('none runs on this machine') },
      ]);
    });
  });

  it('ends though a server takes connections and is silent', async () => {
    const silent = createTcpServer(() => {});
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const { wrong } = await examineWith(healthy(`postgres://u:p@127.0.0.1:${port}/db`));
    expect(wrong('postgres')).toMatchObject([{ state: 'problem' }]);
    silent.close();
  });

  it('opens the database beside the other looks, and ends though it never opens', async () => {
    const findings = await examine(
      checksOf({
        ...{
          environment: {},
          dataFolder: folder,
          opened: new Promise(() => {}),
          databaseUrl: null,
          deadlineMs: 500,
        },
        parts: {
          readFacts: () => ({ ...noFacts }),
          tryEncryption: async () => ({ name: 'openssl', warning: null, advice: null }),
          reachStatistics: async () => null,
        } as unknown as DoctorParts,
      }),
    );
    const stateOf = (area: string) => findings.filter((one) => one.area === area).map(({ state }) => state);
    expect(findings).toContainEqual(
      expect.objectContaining({ area: 'postgres', state: 'problem', text: 'no answer within 0.5 s' }),
    );
    expect(stateOf('encryption')).toEqual(['ok']);
  });

  it('gives every check a deadline, and what one throws is its own problem', async () => {
    const findings = await examine([
      { area: 'log', deadlineMs: 10, run: () => new Promise(() => {}) },
      { area: 'disk', deadlineMs: 1_000, run: () => Promise.reject(new Error('at postgres://a:b@c/d')) },
      { area: 'clock', deadlineMs: 1_000, run: async () => [ok('right')] },
    ]);
    expect(findings).toMatchObject([
      { area: 'log', state: 'problem', text: 'no answer within 0.01 s' },
      { area: 'disk', state: 'problem', text: 'at postgres://[redacted]@c/d' },
      { area: 'clock', state: 'ok' },
    ]);
  });
});
