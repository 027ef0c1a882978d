import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { readCompose } from '../compose-environment.ts';
import { openSpace, type Space } from './space.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const cacheOfNpm = join(homedir(), '.npm');
const programs = ['buildah', 'mmdebstrap', 'unshare', 'nsenter', 'setpriv'];
const hint = 'apt-get install --no-install-recommends buildah mmdebstrap';
/** What each step may take, so that a network without answers or a machine that stands still fails by name. */
const BASE_MS = 300_000;
const BUILD_MS = 900_000;
const STEP_MS = 120_000;
/** Of the images, their stages and the packages that these unpack, at the fullest moment. */
const NEEDED_BYTES = 4 * 1_024 ** 3;

/** Tests that build images and start them: on Linux, as root, with two packages of Debian. */
export function describeImages(name: string, work: () => void): void {
  const missing = whatIsMissing();
  if (missing !== null && process.env.REQUIRE_IMAGES === '1') throw new Error(`${name}: ${missing}`);
  if (missing !== null) console.warn(`SKIPPED, ${name}: ${missing}`);
  describe.runIf(missing === null)(name, work);
}

function whatIsMissing(): string | null {
  const missing = programs.filter(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0,
  );
  if (missing.length > 0) return `${missing.join(', ')} missing here: ${hint}`;
  if (process.getuid?.() !== 0) return 'images are built and started by root, who may mount: run it as root';
  const mount = 'mkdir a b c d && mount -t overlay -o lowerdir=a,upperdir=b,workdir=c overlay d';
  const inMemory = `mount -t tmpfs tmpfs /mnt && cd /mnt && ${mount}`;
  const tried = spawnSync('/usr/bin/unshare', ['--mount', 'sh', '-c', inMemory], {
    encoding: 'utf8',
    timeout: STEP_MS,
  });
  if (tried.status === 0) return null;
  return `this root may not mount (CAP_SYS_ADMIN), or has no overlays: ${tried.stderr.trim()}`;
}

export interface ImageStore {
  readonly space: Space;
  /** Gone with the store. */
  readonly folder: string;
  /** Builds a target of the recipe in docker-compose.yml. @returns its root in the space, and the settings that it bears. */
  build(target: string): Promise<Image>;
  remove(): Promise<void>;
}

export interface Image {
  readonly root: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly Healthcheck?: { readonly Test: readonly string[] };
    readonly WorkingDir: string;
  };
}

export async function openImageStore(): Promise<ImageStore> {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < NEEDED_BYTES) throw new Error(`the images need 4 GB in ${tmpdir()}: set TMPDIR`);
  const folder = await mkdtemp(join(tmpdir(), 'broadside-images-'));
  await using opening = new AsyncDisposableStack();
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const space = await openSpace();
  // Before the folder goes: with the space end its mounts, so that only plain files are removed.
  opening.defer(() => space.end());
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const env = { PATH: process.env.PATH ?? '', HOME: homedir(), TMPDIR: folder };
  const buildah = (timeoutMs: number, ...args: string[]): Promise<string> => {
    const command = ['buildah', ...store, '--storage-driver', 'overlay', ...args];
    return space.run(command, { timeoutMs, env, cwd: folder });
  };
  const bud = (...args: string[]): Promise<string> =>
    buildah(BUILD_MS, 'bud', '--isolation', 'chroot', '--format', 'docker', ...args);
  await mkdir(cacheOfNpm, { recursive: true });
  await Promise.all([makeBase(folder, space), copySources(join(folder, 'sources')), writeRecipe(folder)]);
  await bud('--tag', 'base', '--file', join(folder, 'Base'), folder);
  await rm(join(folder, 'base'), { recursive: true });
  const opened = opening.move();
  return {
    space,
    folder,
    async build(target) {
      // Packages come from what this machine has fetched before.
      const how = ['--layers', '--from', 'localhost/base', '--volume', `${cacheOfNpm}:/root/.npm`];
      const what = ['--target', target, '--tag', target, '--file', join(folder, 'Dockerfile')];
      await bud(...how, ...what, join(folder, 'sources'));
      const { Docker: image } = JSON.parse(await buildah(STEP_MS, 'inspect', '--type', 'image', target)) as {
        Docker: Omit<Image, 'root'>;
      };
      const container = (await buildah(STEP_MS, 'from', target)).trim();
      return { root: (await buildah(STEP_MS, 'mount', container)).trim(), config: image.config };
    },
    remove: () => opened.disposeAsync(),
  };
}

/**
 * Stands for the image that the recipe begins with, which a registry would have: the same distribution from its packages,
 * with the Node and npm of this machine.
 */
async function makeBase(folder: string, space: Space): Promise<void> {
  const include = [
    ...['base-files', 'base-passwd', 'bash', 'binutils', 'ca-certificates', 'coreutils', 'dash', 'findutils'],
    ...['grep', 'libatomic1', 'libc-bin', 'libstdc++6', 'sed'],
  ].join(',');
  const base = join(folder, 'base');
  const args = ['--variant=extract', '--format=directory', `--include=${include}`, 'bookworm', base];
  const env = { PATH: `/usr/sbin:/sbin:${process.env.PATH}`, TMPDIR: folder };
  await space.run(['mmdebstrap', ...args], { timeoutMs: BASE_MS, env });
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

async function writeRecipe(folder: string): Promise<void> {
  const path = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
  const base = `FROM scratch\nADD base /\nENV PATH=${path} NPM_CONFIG_CAFILE=/etc/ssl/certs/ca-certificates.crt\n`;
  await writeFile(join(folder, 'Base'), base);
  await writeFile(join(folder, 'Dockerfile'), readCompose().services.api?.build?.dockerfile_inline ?? '');
}

/** As a fresh clone has them. */
async function copySources(to: string): Promise<void> {
  await mkdir(to);
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    ...{ cwd: root, maxBuffer: 64 * 1_024 ** 2 },
  });
  const files = stdout
    .split('\0')
    .filter((file) => /^(engine|api|reporting)\/|^[^/]+$/.test(file) && file !== '');
  for (const file of files) await cp(join(root, file), join(to, file));
}
