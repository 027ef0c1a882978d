// tier: system
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { createTestApi, type TestApi } from '../api/support.ts';
import { until } from '../support/engine-harness.ts';
import { blocksOf } from './markdown.ts';

const isHere = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;
if (!isHere && process.env.REQUIRE_NGINX === '1') throw new Error('nginx is missing here');
if (!isHere) console.warn('SKIPPED, the configuration for nginx is not run: nginx is missing here');

describe.runIf(isHere)('the configuration for nginx', () => {
  let api: TestApi;
  let folder: string;
  let base: string;
  let nginx: ReturnType<typeof spawn>;
  const seen: { readonly ip: string; readonly host: string | undefined }[] = [];
  const insecure = new Agent({ connect: { rejectUnauthorized: false } });
  const ask = (path: string, init: object = {}) => fetch(base + path, { dispatcher: insecure, ...init });

  beforeAll(async () => {
    api = await createTestApi({ config: { trustedProxies: ['127.0.0.1'] } }, (app) => {
      app.addHook('onResponse', async (request) => {
        seen.push({ ip: request.ip, host: request.headers.host });
      });
    });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port: apiPort } = api.app.server.address() as AddressInfo;
    folder = await mkdtemp(join(tmpdir(), 'broadside-nginx-'));
    const port = await freePort();
    base = `https://127.0.0.1:${port}`;
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=push.example.com', '-days', '1', '-nodes'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate, ...subject],
      { stdio: 'ignore' },
    );
    const [block] = blocksOf('engine/REVERSE-PROXY.md').filter(({ language }) => language === 'nginx');
    const server = (block?.text ?? '')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${apiPort}`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      // Not in every build that Debian has had.
      .replace('http2 on;', '');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(folder, kind)};`,
    );
    await writeFile(
      join(folder, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off; pid ${join(folder, 'pid')}; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${server}}\n`,
    );
    nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
      stdio: 'ignore',
    });
    await until('nginx', () =>
      ask('/docs/').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    if (nginx?.exitCode === null) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    await insecure.close();
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes on the reader’s own address, and the name that was asked for', async () => {
    seen.splice(0);
    const answer = await ask('/api/v1/client/apps', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(answer.status).toBe(401);
    await expect.poll(() => seen).toContainEqual({ ip: '203.0.113.7', host: '127.0.0.1' });
  });

  it('lets an image of 2 MB through: the API itself answers', async () => {
    const body = new Uint8Array(2_500_000);
    const answer = await ask('/api/v1/client/apps/none/deliveries', { method: 'POST', body });
    expect(await answer.json()).toEqual({ message: expect.any(String) });
  });

  it('serves readers’ browsers and the dashboard’s way to follow a delivery', async () => {
    expect((await ask('/sdk/v1/broadside.js')).status).toBe(200);
    expect((await ask('/api/v1/client/apps/none/deliveries/1/progress')).status).toBe(401);
  });
});
