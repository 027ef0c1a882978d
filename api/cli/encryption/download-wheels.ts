import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scrubCredentials } from '../../../engine/adapters/telemetry/redact.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { wheels as allWheels, VERSION, type Wheel } from '../../../engine/kit/fast-library/files.ts';

const TIMEOUT_MS = 600_000;
/** Of any file that pip writes, in blocks of 512 bytes: half as much again as the largest wheel. */
const MOST_BLOCKS = Math.ceil((1.5 * Math.max(...allWheels.map(({ bytes }) => bytes))) / 512);
const MOST_OUTPUT = 1_048_576;
/** Of pip's own words, the last ones. */
const MOST_LINES = 3;

/** The wheels of this platform whatever Python says of itself, and nothing that would have to be built. */
const choice = ['--no-deps', '--only-binary=:all:', '--platform', 'manylinux_2_28_x86_64'];

export const downloadByHand: readonly string[] = [
  `python3 -m pip download ${choice.join(' ')} ${allWheels.map((wheel) => `${wheel.package}==${VERSION}`).join(' ')}`,
  'broadside encryption install --from *.whl',
];

/**
 * By pip, since it knows the operator's index, proxy and credentials. The shell bounds what it may write, and the
 * folder is where Python would also look for modules: so it is our own and empty.
 * @returns the files.
 */
export async function downloadWheels(
  wheels: readonly Wheel[],
  into: string,
  index: string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  // In a file, since everybody on the machine sees the arguments of a process, and a URL may hold credentials.
  await writeFile(join(into, 'requirements.txt'), requirementsOf(wheels, index), { mode: 0o600 });
  const downloads = join(into, 'downloads');
  await mkdir(downloads);
  const limits = `ulimit -f ${MOST_BLOCKS} && TMPDIR="$PWD" && export TMPDIR && exec "$@"`;
  const pip = ['python3', '-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input'];
  const what = ['--no-cache-dir', ...choice, '--require-hashes', '--requirement', '../requirements.txt'];
  const ended = await runGroup('sh', ['-c', limits, 'sh', ...pip, ...what, '--dest', '.'], downloads, signal);
  if (ended.code !== 0) {
    const lines = linesOf(ended.stderr);
    throw new CliError(`pip cannot download libcrypto_mb: ${ended.why ?? reasonOf(lines)}`, {
      more: [
        ...lines.slice(-MOST_LINES),
        'Where no package index can be reached, run elsewhere the first, here the second:',
        ...downloadByHand,
      ],
    });
  }
  return (await readdir(downloads))
    .filter((name) => name.endsWith('.whl'))
    .map((name) => join(downloads, name));
}

function requirementsOf(wheels: readonly Wheel[], index: string | null): string {
  const lines = wheels.map((wheel) => `${wheel.package}==${VERSION} --hash=sha256:${wheel.sha256}`);
  return [...(index === null ? [] : [`--index-url ${urlOf(index)}`]), ...lines, ''].join('\n');
}

/** Its normal form is one word of one line. */
function urlOf(index: string): string {
  const url = URL.parse(index);
  if (url === null || !['https:', 'http:', 'file:'].includes(url.protocol))
    throw new CliError(
      '--index must be the URL of a package index, such as https://packages.example.com/simple',
    );
  return url.href;
}

/** What pip did not expect is a trace, whose last line says what happened. */
function reasonOf(lines: readonly string[]): string {
  const telling = (line: string): boolean => line.startsWith('ERROR:') && line !== 'ERROR: Exception:';
  return lines.findLast(telling) ?? lines.at(-1) ?? 'it ended without a word';
}

const linesOf = (stderr: string): string[] =>
  scrubCredentials(stderr)
    .split('\n')
    .filter((line) => line.trim() !== '');

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  /** Why it was ended, if it was. */
  readonly why: string | undefined;
}

/**
 * Resolves once nothing of it runs any more. A group of its own, and ended as a whole: `python3` may be a script that starts
 * the Python of a version manager, and waits for it.
 */
async function runGroup(
  command: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let why: string | undefined;
  const end = (reason: string): void => {
    why ??= reason;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  const stop = (): void => end('it was stopped');
  const timer = setTimeout(end, TIMEOUT_MS, `it did not end within ${TIMEOUT_MS / 60_000} minutes`);
  signal?.addEventListener('abort', stop);
  process.once('exit', stop);
  if (signal?.aborted) stop();
  try {
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MOST_OUTPUT);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stderr, why };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    process.off('exit', stop);
  }
}
