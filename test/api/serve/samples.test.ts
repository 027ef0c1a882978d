// tier: system
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, createMember, createTestApi, type TestApi } from '../support.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

const shown = ['authorization', 'cookie', 'x-csrf-token', 'x-app-id', 'origin', 'content-type'];
const variables = {
  BROADSIDE_URL: '',
  BROADSIDE_TOKEN: '7|secret',
  BROADSIDE_SESSION: 'session',
  BROADSIDE_CSRF_TOKEN: 'csrf',
};

/** How a reader runs a sample, all of a language in one process. */
interface Runner {
  readonly lang: string;
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  /** Succeeds where the machine has the language and its library. */
  readonly check: readonly string[];
  readonly join: (samples: readonly string[]) => string;
}
const runners: readonly Runner[] = [
  {
    lang: 'Shell',
    file: 'all.sh',
    command: ['bash', '-eu'],
    check: ['-c', 'command -v curl'],
    join: (all) => all.join('\n'),
  },
  {
    lang: 'TypeScript',
    file: 'all.ts',
    command: [process.execPath],
    check: ['--version'],
    join: (all) => `${all.map((text) => `{\n${text}\n}`).join('\n')}\nexport {};\n`,
  },
  {
    lang: 'Python',
    file: 'all.py',
    command: ['python3'],
    check: ['-c', 'import requests'],
    join: (all) => all.join('\n'),
  },
  {
    lang: 'PHP',
    file: 'all.php',
    command: ['php'],
    check: ['-r', 'curl_version();'],
    join: (all) => `<?php\n${all.map((text) => text.replace('<?php\n', '')).join('\n')}`,
  },
];

const missing = runners.filter(
  ({ command: [program], check }) => spawnSync(program, check, { stdio: 'ignore' }).status !== 0,
);
const here = runners.filter((runner) => !missing.includes(runner));
const reason = `these are missing here, with their HTTP library: ${missing.map(({ lang }) => lang).join(', ')}`;
if (missing.length > 0 && process.env.REQUIRE_LANGUAGES === '1') throw new Error(reason);
if (missing.length > 0) console.warn(`SKIPPED, not every sample is run: ${reason}`);

/** Answers everything with 200, and keeps what came. */
async function startRecorder(): Promise<{ server: Server; url: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(
      shown.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    );
    sent.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      body: text === '' ? null : JSON.parse(text),
    });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

describe('the samples of the OpenAPI text', () => {
  let api: TestApi;
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  let folder: string;
  let operations: Operation[];
  const sentBy = new Map<string, Sent[]>();

  beforeAll(async () => {
    api = await createTestApi();
    recorder = await startRecorder();
    folder = await mkdtemp(join(tmpdir(), 'broadside-samples-'));
    const { paths } = (await api.app.inject('/api/v1/openapi.json')).json() as { paths: object };
    operations = Object.values(paths).flatMap((methods) => Object.values(methods as object)) as Operation[];
  });
  afterAll(async () => {
    await api.close();
    recorder.server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(here)('run in $lang: one request an operation', async ({ lang, file, command, join: joined }) => {
    const samples = operations.map(
      (each) => each['x-codeSamples'].find((one) => one.lang === lang)?.source ?? '',
    );
    expect(samples.filter((text) => text === '')).toEqual([]);
    const path = join(folder, file);
    await writeFile(path, joined(samples));
    const [program, ...options] = command;
    const env = { PATH: process.env.PATH ?? '', HOME: folder, ...variables, BROADSIDE_URL: recorder.url };
    await promisify(execFile)(program, [...options, path], { env, maxBuffer: 10_000_000 });
    const sent = recorder.sent.splice(0);
    expect(sent.length).toBe(operations.length);
    sentBy.set(lang, sent);
  });

  it('send the same in every language', () => {
    expect([...sentBy.keys()]).toEqual(here.map(({ lang }) => lang));
    const first = sentBy.get('Shell') ?? [];
    expect(first.filter(({ path }) => /[{}]|%7B/i.test(path))).toEqual([]);
    for (const { lang } of here) expect(sentBy.get(lang), lang).toEqual(first);
  });

  it('send what the API takes: none is malformed, of a wrong type, or without its credentials', async () => {
    const { token } = await createMember(api.database);
    const wrong: string[] = [];
    const taken: string[] = [];
    for (const [index, { method, path, headers, body }] of (sentBy.get('Shell') ?? []).entries()) {
      const { operationId, security = [] } = operations[index] as Operation;
      const byToken = security.some((each) => 'token' in each);
      expect(headers.authorization, operationId).toBe(byToken ? 'Bearer 7|secret' : undefined);
      if (security.length > 0 && !byToken) expect(headers.cookie).toBe('broadside_session=session');
      // Streams stay open; their requests are like those of their neighbours.
      if (operationId === 'followDelivery') continue;
      const answer = await api.app.inject({
        method: method as 'POST',
        url: path,
        headers: { ...headers, ...(byToken ? bearer(token) : {}) },
        ...(body === null ? {} : { payload: body as object }),
      });
      const { statusCode } = answer;
      // Here the ids of the examples do not exist, their session has ended, their page belongs to no app, and no letters are sent.
      const expected = byToken ? [404] : security.length > 0 ? [401] : [401, 403, 404, 409];
      if (statusCode >= 200 && statusCode < 300) taken.push(operationId);
      else if (!expected.includes(statusCode)) wrong.push(`${operationId}: ${statusCode} ${answer.body}`);
    }
    expect(wrong).toEqual([]);
    expect(taken).toEqual(expect.arrayContaining(['listApps', 'createApp']));
  });
});
