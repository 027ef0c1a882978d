// tier: system
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadWheels } from '../../../../api/cli/encryption/download-wheels.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';
import { makeWheel } from './made-up-wheels.ts';

const hasPip = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status === 0;
if (!hasPip && process.env.REQUIRE_CRYPTO_MB === '1') throw new Error('install python3-pip');
if (!hasPip) console.warn('NOT TESTED here, downloads by pip: `python3 -m pip` does not answer');

describe.skipIf(!hasPip)('the download by pip', () => {
  let folder: string;
  let server: Server;
  let made: Awaited<ReturnType<typeof makeWheel>>;
  let answer: RequestListener;
  const indexOf = (): string =>
    `http://reader:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}/simple/`;
  let downloads = 0;
  const download = async (wheel = made.wheel) => {
    const into = join(folder, `into-${downloads++}`);
    await mkdir(into);
    return downloadWheels([wheel], into, indexOf());
  };

  /** Linux shows where each process works. */
  const pipsIn = async (into: string): Promise<string[]> => {
    const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const places = await Promise.all(processes.map((id) => readlink(`/proc/${id}/cwd`).catch(() => '')));
    return places.filter((place) => place.startsWith(into));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-pip-'));
    made = await makeWheel(folder, 'made-up-crypto', { 'libcrypto_mb.so.13': 'eight at a time' });
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    const file = basename(made.path);
    answer = async ({ url = '', headers }, response) => {
      if (headers.authorization === undefined) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
      } else if (url === '/simple/made-up-crypto/') {
        response.setHeader('content-type', 'text/html');
        response.end(`<!DOCTYPE html><html><body><a href="/files/${file}">${file}</a></body></html>`);
      } else if (url === `/files/${file}`) response.end(await readFile(made.path));
      else response.writeHead(404).end();
    };
  });
  afterAll(async () => {
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fetches the wheel from the index that was named, with its credentials', async () => {
    const files = await download();
    expect(files.map((file) => basename(file))).toEqual([basename(made.path)]);
    expect(await readFile(files[0] as string)).toEqual(await readFile(made.path));
  }, 120_000);

  it('refuses other contents, with what to do and without the credentials', async () => {
    const error: unknown = await download({ ...made.wheel, sha256: '0'.repeat(64) }).catch((e: unknown) => e);
    const { message, more } = error as { message: string; more: string[] };
    expect(message).toMatch(
      /pip cannot download libcrypto_mb: ERROR: THESE PACKAGES DO NOT MATCH THE HASHES/,
    );
    expect(more.at(-1)).toBe('broadside encryption install --from *.whl');
    expect([message, ...more].join('\n')).not.toContain('s3cret');
  }, 120_000);

  it('ends with its signal, whatever the index does', async () => {
    const rightly = answer;
    const stopping = new AbortController();
    answer = () => stopping.abort();
    const into = join(folder, 'stopped');
    await mkdir(into);
    await expect(downloadWheels([made.wheel], into, indexOf(), stopping.signal)).rejects.toThrow(
      'pip cannot download libcrypto_mb: it was stopped',
    );
    // Whoever waited for it may remove what it wrote.
    await expect(pipsIn(into)).resolves.toEqual([]);
    answer = rightly;
  }, 120_000);

  it('stops where the index sends more than any wheel has', async () => {
    const rightly = answer;
    answer = (request, response) => {
      if (!request.url?.startsWith('/files/')) return rightly(request, response);
      const chunk = Buffer.alloc(1_048_576, 'x');
      const send = (): void => {
        while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', send);
      };
      send();
    };
    await expect(download()).rejects.toThrow(/File too large/);
    answer = rightly;
  }, 120_000);
});

it('is refused by the command line where the address is none of an index', async () => {
  const env = { DATA_FOLDER: join(tmpdir(), 'broadside-has-no-such-folder') };
  const args = ['encryption', 'install', '--for-another-machine', '--index', 'packages.example.com'];
  const { code, err } = await runCliHere(args, { cwd: tmpdir(), env });
  expect(code).toBe(1);
  expect(err).toContain('--index must be the URL of a package index');
  await rm(env.DATA_FOLDER, { recursive: true, force: true });
});
