import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A peer with packages of its own: its sources beside this file, built into the cache of the checkout. */
export interface Toolchain {
  /** As `--json` names the sender. */
  readonly sender: string;
  /** The folder of its sources. */
  readonly folder: string;
  /** Answers where the toolchain is there. */
  readonly probe: Command;
  /** The package to install where it is missing. */
  readonly needs: string;
  /** Run one after the other in the folder of the sources; nothing may be written there. */
  readonly build: (into: string) => readonly Command[];
  readonly start: (built: string, sources: string) => Command;
}
export type Command = readonly [file: string, ...args: string[]];

/** A package of the Python package index, in an environment of its own. */
const python = (name: string): Toolchain => ({
  sender: name,
  folder: name,
  probe: ['python3', '-c', 'import venv, ensurepip'],
  needs: 'Python 3 with venv',
  build: (into) => [
    ['python3', '-m', 'venv', into],
    [join(into, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
  ],
  start: (built, sources) => [join(built, 'bin', 'python'), join(sources, 'main.py')],
});

export const toolchains: readonly Toolchain[] = [
  {
    sender: '@block65/webcrypto-web-push',
    folder: 'webcrypto-web-push',
    probe: ['npm', '--version'],
    needs: 'npm',
    build: (into) => [
      ['cp', 'package.json', 'package-lock.json', 'sender.mjs', into],
      ['npm', 'ci', '--prefix', into, '--ignore-scripts', '--no-audit', '--no-fund'],
    ],
    start: (built) => [process.execPath, join(built, 'sender.mjs')],
  },
  {
    sender: 'webpush-go',
    folder: 'webpush-go',
    probe: ['go', 'version'],
    needs: 'Go 1.22',
    build: (into) => [['go', 'build', '-mod=readonly', '-o', join(into, 'peer'), '.']],
    start: (built) => [join(built, 'peer')],
  },
  {
    sender: 'web-push (Rust)',
    folder: 'web-push-crate',
    probe: ['cargo', '--version'],
    needs: 'Cargo and OpenSSL’s headers',
    build: (into) => [['cargo', 'build', '--quiet', '--locked', '--release', '--target-dir', into]],
    start: (built) => [join(built, 'release', 'peer')],
  },
  python('pywebpush'),
  python('webpush-rs'),
  {
    sender: 'web-push (Java)',
    folder: 'web-push-java',
    probe: ['sh', '-c', 'javac -version && mvn --version'],
    needs: 'a JDK 17 and Maven',
    build: (into) => [
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${join(into, 'lib')}`],
      ['javac', '-cp', join(into, 'lib', '*'), '-d', join(into, 'classes'), 'Peer.java'],
    ],
    start: (built) => ['java', '-cp', `${join(built, 'classes')}:${join(built, 'lib', '*')}`, 'Peer'],
  },
];

export type Built =
  | { readonly kind: 'built'; readonly command: Command }
  /** Why this machine has no figure for it, in a line. */
  | { readonly kind: 'absent'; readonly reason: string };

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../.cache/peers/', import.meta.url));
/** Of each command: a registry that never answers does not keep the bench. */
const BUILD_TIMEOUT_MS = 600_000;
const PROBE_TIMEOUT_MS = 20_000;
const MAX_REASON = 160;
const run = promisify(execFile);

/** Once for each state of the sources: a second call finds what the first one built. */
export async function buildPeer(toolchain: Toolchain, onBuild: (text: string) => void): Promise<Built> {
  const sources = join(here, toolchain.folder);
  const [probe, ...probeArgs] = toolchain.probe;
  const present = await run(probe, probeArgs, { timeout: PROBE_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
  if (!present) return { kind: 'absent', reason: `needs ${toolchain.needs}` };
  const into = join(cache, `${toolchain.folder}-${await digestOf(sources)}`);
  const done = join(into, 'built');
  if (!existsSync(done)) {
    onBuild(`building ${toolchain.sender}`);
    const failure = await build(toolchain, sources, into);
    if (failure !== null) return { kind: 'absent', reason: failure };
    await writeFile(done, '');
  }
  return { kind: 'built', command: toolchain.start(into, sources) };
}

/** A half-built folder would look built the next time, so a failure leaves none. */
async function build(toolchain: Toolchain, sources: string, into: string): Promise<string | null> {
  await mkdir(into, { recursive: true });
  try {
    for (const [file, ...args] of toolchain.build(into))
      await run(file, args, {
        ...{ cwd: sources, timeout: BUILD_TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 16_777_216 },
      });
    return null;
  } catch (error) {
    await rm(into, { recursive: true, force: true });
    return `could not be built (no package registry in reach?): ${firstLine(error)}`;
  }
}

function firstLine(error: unknown): string {
  const { stderr = '', message = String(error) } = error as { stderr?: string; message?: string };
  const lines = (stderr === '' ? message : stderr).split('\n').filter((line) => line.trim() !== '');
  const telling = lines.find((line) => /error|could not|unable/i.test(line)) ?? lines[0] ?? '';
  return telling.trim().slice(0, MAX_REASON);
}

async function digestOf(folder: string): Promise<string> {
  const digest = createHash('sha256');
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    digest.update(file.slice(folder.length)).update(await readFile(file));
  return digest.digest('hex').slice(0, 12);
}
