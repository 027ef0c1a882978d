import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { readCompose } from '../compose-environment.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = ['buildah', 'mmdebstrap', 'runc'];
const hint = `apt-get install --no-install-recommends ${programs.join(' ')}`;
const MAX_BYTES = 64 * 1_024 ** 2;

/** Tests that build images and start them: on Linux, as root, with three programs of Debian. */
export function describeImages(name: string, work: () => void): void {
  const isHere =
    process.getuid?.() === 0 &&
    programs.every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0);
  if (!isHere && process.env.REQUIRE_IMAGES === '1')
    throw new Error(`${name}: needs root, and ${programs.join(', ')}: ${hint}`);
  if (!isHere) console.warn(`SKIPPED, ${name}: needs root, and ${programs.join(', ')} (${hint})`);
  describe.runIf(isHere)(name, work);
}

export interface ImageStore {
  /** Builds a target of the recipe in docker-compose.yml. @returns the settings that the image bears. */
  build(target: string): Promise<ImageSettings>;
  /** The root of a new container of the image. */
  mount(target: string): Promise<string>;
  remove(): Promise<void>;
}

export interface ImageSettings {
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly Healthcheck?: { readonly Test: readonly string[] };
    readonly WorkingDir: string;
  };
}

/**
 * Stands for the image that the recipe begins with, where no registry can be reached: the same distribution from its
 * packages, with the Node and npm of this machine.
 */
async function makeBase(folder: string): Promise<void> {
  const include = [
    ...['base-files', 'base-passwd', 'bash', 'binutils', 'ca-certificates', 'coreutils', 'dash', 'findutils'],
    ...['grep', 'libatomic1', 'libc-bin', 'libstdc++6', 'sed'],
  ].join(',');
  const args = ['--variant=extract', `--include=${include}`, 'bookworm', join(folder, 'base.tar')];
  await run('mmdebstrap', args, { maxBuffer: MAX_BYTES });
  const base = join(folder, 'base');
  await mkdir(base);
  await run('tar', ['--extract', '--file', join(folder, 'base.tar'), '--directory', base]);
  const local = join(base, 'usr/local');
  await mkdir(join(local, 'lib/node_modules'), { recursive: true });
  await cp(process.execPath, join(local, 'bin/node'), { dereference: true });
  // By the command: where npm looks for global packages depends on the Node that calls it.
  const { stdout: command } = await run('sh', ['-c', 'readlink -f "$(command -v npm)"']);
  await cp(dirname(dirname(command.trim())), join(local, 'lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  await writeFile(
    join(base, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  );
  await writeFile(join(base, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  // What this machine trusts, for its way to a registry may lead through a proxy.
  await cp('/etc/ssl/certs/ca-certificates.crt', join(base, 'etc/ssl/certs/ca-certificates.crt'));
}

/** @param folder empty, and on a real disk: overlays stand on it. */
export async function openImageStore(folder: string): Promise<ImageStore> {
  const store = [
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ];
  const buildah = async (...args: string[]): Promise<string> =>
    (await run('buildah', [...store, ...args], { cwd: folder, maxBuffer: MAX_BYTES })).stdout.trim();
  await makeBase(folder);
  const path = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
  const base = `FROM scratch\nADD base /\nENV PATH=${path} NPM_CONFIG_CAFILE=/etc/ssl/certs/ca-certificates.crt\n`;
  await writeFile(join(folder, 'Base'), base);
  await buildah('bud', '--tag', 'base', '--file', 'Base', folder);
  const recipe = readCompose().services.api?.build?.dockerfile_inline ?? '';
  await writeFile(join(folder, 'Dockerfile'), recipe);
  await copySources(join(folder, 'sources'));
  const containers: string[] = [];
  return {
    async build(target) {
      const cache = ['--volume', `${join(homedir(), '.npm')}:/root/.npm`];
      const how = [
        '--layers',
        '--isolation',
        'chroot',
        '--format',
        'docker',
        '--from',
        'localhost/base',
        ...cache,
      ];
      const what = ['--target', target, '--tag', target, '--file', join(folder, 'Dockerfile')];
      await buildah('bud', ...how, ...what, join(folder, 'sources'));
      const told = JSON.parse(await buildah('inspect', '--type', 'image', target)) as {
        Docker: ImageSettings;
      };
      return told.Docker;
    },
    async mount(target) {
      const container = await buildah('from', target);
      containers.push(container);
      return buildah('mount', container);
    },
    async remove() {
      for (const container of containers.splice(0)) {
        await buildah('umount', container);
        await buildah('rm', container);
      }
      await buildah('rmi', '--all', '--force');
    },
  };
}

/** As a fresh clone has them. */
async function copySources(to: string): Promise<void> {
  await mkdir(to);
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    ...{ cwd: root, maxBuffer: MAX_BYTES },
  });
  const files = stdout
    .split('\0')
    .filter((file) => /^(engine|api|reporting)\/|^[^/]+$/.test(file) && file !== '');
  for (const file of files) await cp(join(root, file), join(to, file));
}
