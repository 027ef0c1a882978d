import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scrubCredentials } from '../../../engine/adapters/telemetry/redact.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { wheels as allWheels, VERSION, type Wheel } from '../../../engine/kit/fast-library/files.ts';

const run = promisify(execFile);
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
  try {
    await run('sh', ['-c', limits, 'sh', ...pip, ...what, '--dest', '.'], {
      ...{ cwd: downloads, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT, signal },
    });
  } catch (error) {
    throw new CliError(`pip cannot download libcrypto_mb: ${reasonOf(error)}`, {
      cause: error,
      more: [
        ...linesOf(error).slice(-MOST_LINES),
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

function reasonOf(error: unknown): string {
  const { message, killed } = error as Error & { killed?: boolean };
  if (killed === true) return `it did not end within ${TIMEOUT_MS / 60_000} minutes`;
  // What pip did not expect is a trace, whose last line says what happened.
  const telling = (line: string): boolean => line.startsWith('ERROR:') && line !== 'ERROR: Exception:';
  const lines = linesOf(error);
  return lines.findLast(telling) ?? lines.at(-1) ?? message;
}

const linesOf = (error: unknown): string[] =>
  scrubCredentials((error as { stderr?: string }).stderr ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '');
