// tier: system
import { chmod, chown, copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../../engine/adapters/postgres/free-port.ts';
import { repositoryRoot } from '../../architecture/temporary-tree.ts';
import { waitUntilReady } from '../../support/broadside-process.ts';
import { testMasterKey } from '../../support/builders.ts';
import { type ClickHouseBridge, startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { composeEnvironment, readCompose } from '../../support/compose-environment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../../support/push-service/start.ts';
import {
  describeImages,
  type Image,
  type ImageStore,
  openImageStore,
} from '../../support/release/build-images.ts';
import { deliverToBrowser } from '../../support/release/deliver-to-browser.ts';
import { type Container, startContainer } from '../../support/release/run-image.ts';

const MEGABYTE = 1_000_000;
const most = { role: 250, up: 900 } as const;
const START_TIMEOUT_MS = 240_000;
const owner = ['--email', 'admin@localhost', '--organization', 'My organization'];
const makeToken = [
  'node',
  'api/bin.mjs',
  'token',
  'create',
  ...owner,
  '--name',
  'laptop',
  '--abilities',
  'all',
];

/** Of a root, in bytes, as a registry's page counts it unpacked. */
async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describeImages('the images of docker-compose.yml, built', () => {
  let store: ImageStore;
  let images: Record<keyof typeof most, Image>;
  /** One for each image, so that neither answers with a message of the other. */
  let receivers: Record<keyof typeof most, PushServiceDouble>;
  let clickhouse: ClickHouseBridge;
  let database: TestDatabase;
  beforeAll(async () => {
    store = await openImageStore();
    images = { role: await store.build('role'), up: await store.build('up') };
    receivers = { role: await startPushService(), up: await startPushService() };
    clickhouse = await startClickHouseBridge();
    database = await createTestDatabase();
  }, 2_400_000);
  afterAll(async () => {
    await store?.remove();
    await Promise.all([receivers?.role.stop(), receivers?.up.stop(), clickhouse?.stop()]);
    await database?.drop();
  });

  /** Ready by the health check that `test` names, asked at these ports. */
  const start = async (
    target: keyof typeof most,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    health: string,
  ): Promise<Container> => {
    const volume = join(store.folder, `data-of-${args.at(-1)}`);
    await mkdir(volume);
    await chown(volume, 1_000, 1_000);
    const given = join(store.folder, `given-to-${args.at(-1)}`);
    await mkdir(given);
    await copyFile(receivers[target].caFile, join(given, 'ca.pem'));
    await chmod(join(given, 'ca.pem'), 0o644);
    const trust = { PUSH_SERVICE_CA_FILE: '/given/ca.pem', ALLOW_ANY_PUSH_HOST: 'true', LOG_LEVEL: 'warn' };
    const { space } = store;
    const image = images[target];
    const container = startContainer({ image, space, volume, given, args, env: { ...env, ...trust } });
    const isReady = await waitUntilReady(health, START_TIMEOUT_MS, container.exited);
    expect(isReady, container.output()).toBe(true);
    return container;
  };

  const checkHealth = async (
    container: Container,
    test: readonly string[] = [],
    port: string,
    mine: number,
  ): Promise<void> => {
    const [kind, ...ask] = test;
    expect([kind, ask.join(' ')]).toEqual(['CMD', expect.stringContaining(port)]);
    // It asks at the ports of the image; here they are others.
    await container.exec(ask.map((word) => word.replace(port, String(mine))));
    await expect(container.exec(ask.map((word) => word.replace(port, '1')))).rejects.toThrow();
  };

  it.each(['role', 'up'] as const)(
    'takes, as %s, at most what is promised, with all that is below it',
    async (target) => {
      const megabytes = (await bytesOf(store.space.pathOf(images[target].root))) / MEGABYTE;
      console.info(`the image ${target} has ${Math.round(megabytes)} MB`);
      expect(megabytes).toBeLessThan(most[target]);
      expect(megabytes).toBeGreaterThan(most[target] / 2);
    },
  );

  it.each(['role', 'up'] as const)(
    'says who made %s, and runs as nobody who may do anything',
    async (target) => {
      const { version } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as {
        version: string;
      };
      expect(images[target].config.Labels).toMatchObject({
        'org.opencontainers.image.title': 'Broadside',
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.version': version,
      });
      expect(images[target].config).toMatchObject({ User: '1000:1000', WorkingDir: '/broadside' });
    },
  );

  it('has no package manager, and for a role no shell', async () => {
    const list = (target: keyof typeof most, folder: string): Promise<string[]> =>
      readdir(join(store.space.pathOf(images[target].root), folder));
    for (const target of ['role', 'up'] as const)
      expect(await list(target, 'usr/local/bin')).toEqual(['node']);
    expect(await list('role', 'bin')).toEqual([]);
    expect(await list('up', 'bin')).toEqual(['sh']);
  });

  it('starts each role, sends a delivery through them, and stops them in order', async () => {
    const ports = await freePorts(5);
    const [api = 0, apiInternal, internal = 0, reporting = 0, reportingInternal] = ports;
    const servers = {
      ...{ DATABASE_URL: database.url, LOG_BACKEND: 'pgboss', WORKER_THREADS: '1' },
      ...{ CLICKHOUSE_URL: clickhouse.url, CLICKHOUSE_USER: 'default', CLICKHOUSE_PASSWORD: '' },
      ...{ MASTER_KEY: testMasterKey.toString('base64'), VAPID_SUBJECT: 'mailto:push@news.example' },
      ...{ API_PORT: String(api), API_INTERNAL_PORT: String(apiInternal), INTERNAL_PORT: String(internal) },
      ...{ REPORTING_PORT: String(reporting), REPORTING_INTERNAL_PORT: String(reportingInternal) },
      ...{ API_HOST: '127.0.0.1', API_INTERNAL_HOST: '127.0.0.1', INTERNAL_HOST: '127.0.0.1' },
      ...{ REPORTING_HOST: '127.0.0.1', REPORTING_INTERNAL_HOST: '127.0.0.1' },
    };
    const roles = [
      ['api', `${api}/internal`, '8080', api],
      ['engine', `${internal}`, '8081', internal],
      ['reporting', `${reporting}/internal`, '8082', reporting],
    ] as const;
    const started = await Promise.all(
      roles.map(async ([role, at, port, mine]) => {
        const { command = [], healthcheck } = readCompose().services[role] ?? {};
        const env = { ...composeEnvironment(role), ...servers };
        const container = await start('role', command, env, `http://127.0.0.1:${at}/health/ready`);
        await checkHealth(container, healthcheck?.test, port, mine);
        return container;
      }),
    );
    const token = (await started[0]?.exec(makeToken)) ?? '';
    const message = await deliverToBrowser(`http://127.0.0.1:${api}`, token.trim(), receivers.role);
    expect(message).toContain('Ferries stop at noon.');
    for (const container of started) expect(await container.stop(), container.output()).toBe(0);
  });

  it('runs everything on a root that cannot be written: a delivery, the health check, and a clean stop', async () => {
    const { config } = images.up;
    const [api = 0, internal = 0, reporting] = await freePorts(3);
    const env = {
      ...{ API_PORT: String(api), INTERNAL_PORT: String(internal), REPORTING_PORT: String(reporting) },
      API_HOST: '127.0.0.1',
    };
    const health = `http://127.0.0.1:${internal}/health/ready`;
    const container = await start('up', config.Cmd ?? [], env, health);
    const token = await container.exec(makeToken);
    const message = await deliverToBrowser(`http://127.0.0.1:${api}`, token.trim(), receivers.up);
    expect(message).toContain('Ferries stop at noon.');
    for (const path of ['/broadside/x', '/x', '/usr/x'])
      await expect(container.exec(['node', '--eval', `fs.writeFileSync("${path}", "")`])).rejects.toThrow(
        'EROFS',
      );
    await checkHealth(container, config.Healthcheck?.Test, '8081', internal);
    expect(await container.stop(), container.output()).toBe(0);
    expect(await readdir(join(store.folder, 'data-of-up'))).not.toEqual([]);
  });
});
