// tier: system
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../../engine/adapters/postgres/free-port.ts';
import { repositoryRoot } from '../../architecture/temporary-tree.ts';
import { waitUntilReady } from '../../support/broadside-process.ts';
import { composeEnvironment } from '../../support/compose-environment.ts';
import { type PushServiceDouble, startPushService } from '../../support/push-service/start.ts';
import {
  describeImages,
  type ImageSettings,
  type ImageStore,
  openImageStore,
} from '../../support/release/build-images.ts';
import { deliverToBrowser } from '../../support/release/deliver-to-browser.ts';
import { type Container, startContainer } from '../../support/release/run-image.ts';

const MEGABYTE = 1_000_000;
const MAX_ROLE_MEGABYTES = 250;
const MAX_UP_MEGABYTES = 900;
const START_TIMEOUT_MS = 240_000;

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
  let folder: string;
  let store: ImageStore;
  const roots: Record<string, string> = {};
  const settings: Record<string, ImageSettings> = {};
  const containers: Container[] = [];
  beforeAll(async () => {
    // On the disk: they take gigabytes, and a temporary folder may be memory.
    await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
    folder = await mkdtemp(join(repositoryRoot, '.cache/images-'));
    store = await openImageStore(folder);
    for (const target of ['role', 'up']) {
      settings[target] = await store.build(target);
      roots[target] = await store.mount(target);
    }
  }, 900_000);
  afterAll(async () => {
    for (const container of containers) await container.remove();
    await store?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (
    target: string,
    name: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    mounts: Readonly<Record<string, string | null>> = {},
  ): Promise<Container> => {
    const { config } = settings[target] ?? { config: { Env: [] } };
    const container = await startContainer({
      ...{ root: roots[target] ?? '', folder: join(folder, name), name: `${name}-${process.pid}`, args },
      env: [...config.Env, ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      mounts: { '/tmp': null, ...mounts },
    });
    containers.push(container);
    return container;
  };

  it.each([
    ['role', MAX_ROLE_MEGABYTES],
    ['up', MAX_UP_MEGABYTES],
  ])('takes at most, as %s, %i MB with all that is below it', async (target, most) => {
    const megabytes = (await bytesOf(roots[target] ?? '')) / MEGABYTE;
    console.info(`the image ${target} has ${Math.round(megabytes)} MB`);
    expect(megabytes).toBeLessThan(most);
    expect(megabytes).toBeGreaterThan(most / 2);
  });

  it.each(['role', 'up'])('says who made %s, and runs as nobody who may do anything', async (target) => {
    const { config } = settings[target] ?? expect.fail('not built');
    const { version } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Broadside',
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': version,
    });
    expect(config).toMatchObject({ User: '1000:1000', WorkingDir: '/broadside' });
  });

  it('has no package manager, and for a role no shell', async () => {
    for (const target of ['role', 'up'])
      expect(await readdir(join(roots[target] ?? '', 'usr/local/bin'))).toEqual(['node']);
    expect(await readdir(join(roots.role ?? '', 'bin'))).toEqual([]);
    expect(await readdir(join(roots.up ?? '', 'bin'))).toEqual(['sh']);
  });

  it.each(['api', 'engine', 'reporting'])('starts the role %s, as far as its Postgres', async (role) => {
    const ports = { API_PORT: '0', INTERNAL_PORT: '0', REPORTING_PORT: '0', REPORTING_INTERNAL_PORT: '0' };
    const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const env = { ...composeEnvironment(role), ...ports, API_INTERNAL_PORT: '0', ...nowhere };
    const container = await start('role', role, ['node', 'api/bin.mjs', role], env);
    expect(await container.exited, container.output()).toBe(1);
    expect(container.output()).toContain('Postgres does not answer');
  });

  it('runs everything on a root that cannot be written: a delivery, the health check, and a clean stop', async () => {
    const data = join(folder, 'data');
    await mkdir(data);
    await chown(data, 1_000, 1_000);
    const [api, internal, reporting] = await freePorts(3);
    const pushService: PushServiceDouble = await startPushService();
    try {
      const { config } = settings.up ?? expect.fail('not built');
      const env = {
        ...{ API_PORT: String(api), INTERNAL_PORT: String(internal), REPORTING_PORT: String(reporting) },
        ...{ PUSH_SERVICE_CA_FILE: '/push-service/ca.pem', ALLOW_ANY_PUSH_HOST: 'true', LOG_LEVEL: 'warn' },
        API_HOST: '127.0.0.1',
      };
      const container = await start('up', 'up', config.Cmd ?? [], env, {
        '/data': data,
        '/push-service/ca.pem': pushService.caFile,
      });
      const url = `http://127.0.0.1:${internal}/health/ready`;
      expect(await waitUntilReady(url, START_TIMEOUT_MS, container.exited), container.output()).toBe(true);
      const owner = ['--email', 'admin@localhost', '--organization', 'My organization'];
      const token = ['token', 'create', ...owner, '--name', 'laptop', '--abilities', 'all'];
      const { stdout } = await container.exec(['node', 'api/bin.mjs', ...token]);
      const message = await deliverToBrowser(`http://127.0.0.1:${api}`, stdout.trim(), pushService);
      expect(message).toContain('Ferries stop at noon.');
      await expect(
        container.exec(['node', '--eval', 'fs.writeFileSync("/broadside/x", "")']),
      ).rejects.toThrow('EROFS');
      // The image asks at the ports of its defaults; here they are others.
      const [kind, ...ask] = config.Healthcheck?.Test ?? [];
      expect(kind).toBe('CMD');
      await container.exec(ask.map((word) => word.replace('8081', String(internal))));
      await expect(container.exec(ask.map((word) => word.replace('8081', '1')))).rejects.toThrow();
      expect(await container.stop(), container.output()).toBe(0);
    } finally {
      await pushService.stop();
    }
  });
});
