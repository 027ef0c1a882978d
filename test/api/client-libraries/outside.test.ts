// tier: system
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type OpenapiText,
  type Operation,
  readOperations,
} from '../../../api/client-libraries/operations.ts';
import { readOpenapiText } from '../../../api/serve/openapi-text.ts';
import { blocksOf, root } from '../../guide/markdown.ts';
import { appBody, callAs, createMember, createTestApi, type TestApi } from '../support.ts';
import { type Driver, type Installed, installClients, languagesHere } from './installed.ts';

const run = promisify(execFile);
const guides = [
  'api/docs/clients.md',
  'api/client-libraries/typescript/README.md',
  'api/client-libraries/python/README.md',
];
const fences = { TypeScript: 'ts', Python: 'python' } as const;

let installed: Installed;
beforeAll(async () => {
  installed = await installClients();
});
afterAll(() => installed?.remove());

/** The programs that readers of the guides would copy, one of each guide. */
const programsOf = (language: keyof typeof fences): string[] =>
  guides
    .map((file) => blocksOf(file).filter((block) => block.language === fences[language]))
    .filter((blocks) => blocks.length > 0)
    .map((blocks) => blocks.map(({ text }) => text).join('\n'));

describe('outside the repository', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi();
    await api.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => api?.close());

  it.each(languagesHere)('the guides’ %s runs', async (language) => {
    const member = await createMember(api.database);
    const app = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data.identifier as string;
    const { port } = api.app.server.address() as AddressInfo;
    const variables = { BROADSIDE_URL: `http://127.0.0.1:${port}`, BROADSIDE_TOKEN: member.token };
    const programs = programsOf(language);
    expect(programs.length).toBe(2);
    for (const text of programs) {
      const { stdout } = await installed.program(
        language,
        text.replaceAll('example-news-k3x9qa', app),
        variables,
      );
      expect(stdout).toMatch(/^\d+ pending\n/);
    }
    const sent = (await callAs(api.app, member)('GET', `/apps/${app}/deliveries`)).json().data as object[];
    expect(sent.length).toBe(3);
  });

  it('TypeScript checks the arguments of a call', async () => {
    const wrong = `import { Broadside, type Delivery, type List } from '@broadside/client';
const broadside = new Broadside({ baseUrl: 'https://push.example.com', token: '7|secret' });
const list: List<Delivery> = broadside.listDeliveries('x', { per_page: 2 });
for await (const { success_count } of list) success_count.toFixed();
// @ts-expect-error: no such filter.
broadside.listDeliveries('x', { colour: 'red' });
// @ts-expect-error: no url.
broadside.createDelivery('x', { name: 'a', title: 'b', body: 'c' });
// @ts-expect-error: a key without an effect.
broadside.createApp({ name: 'a', site_domain: 'https://b.c' }, { idempotencyKey: 'd' });
// @ts-expect-error: no such field.
(await broadside.getApp('x')).colour;
// @ts-expect-error: nothing is returned.
(await broadside.deleteApp('x')).identifier;
`;
    const files = [wrong, ...programsOf('TypeScript')].map(
      (text, index) => [`checked-${index}.ts`, text] as const,
    );
    for (const [name, text] of files) await writeFile(join(installed.folder, name), text);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const types = ['--typeRoots', join(root, 'node_modules/@types')];
    const tsc = join(root, 'node_modules/.bin/tsc');
    const checked = await run(tsc, [...options, ...types, ...files.map(([name]) => name)], {
      cwd: installed.folder,
    }).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  });

  it('the packages have the version, the licence and no dependency', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const manifest = join(installed.folder, 'node_modules/@broadside/client/package.json');
    const typescript = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies?: object };
    expect(typescript).toMatchObject({ version, license: 'Apache-2.0' });
    expect(typescript.dependencies).toBeUndefined();
    if (!languagesHere.includes('Python')) return;
    const folder = join(installed.folder, `site/broadside_client-${version}.dist-info`);
    const python = await readFile(join(folder, 'METADATA'), 'utf8');
    expect(python).toContain(`\nVersion: ${version}\n`);
    expect(python).toContain('\nLicense: Apache-2.0\n');
    expect(python).not.toContain('Requires-Dist');
  });

  it.runIf(languagesHere.includes('Python'))('Python 3.9 can read the package', async () => {
    const script = `import ast, glob
files = glob.glob("site/broadside/*.py")
for file in files: ast.parse(open(file, encoding="utf-8").read(), feature_version=(3, 9))
import typing, broadside.types as types
for name in dir(types):
    if typing.is_typeddict(getattr(types, name)): typing.get_type_hints(getattr(types, name))
from broadside import Broadside
for name in dir(Broadside):
    if not name.startswith("_"): typing.get_type_hints(getattr(Broadside, name))
print(len(files))
`;
    const { stdout } = await installed.program('Python', script);
    expect(Number(stdout)).toBeGreaterThan(7);
  });
});

describe('every operation', () => {
  const seen: { method: string; path: string; headers: object; body: unknown }[] = [];
  let operations: Operation[];
  let server: Server;
  let answer: object | null = null;
  const drivers: Driver[] = [];

  beforeAll(async () => {
    operations = readOperations((await readOpenapiText()) as OpenapiText);
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const { authorization, origin, 'x-app-id': appId } = request.headers;
      const key = typeof request.headers['idempotency-key'];
      seen.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: { authorization, origin, appId, key },
        body: text === '' ? null : JSON.parse(text),
      });
      response.writeHead(answer === null ? 204 : 200).end(answer === null ? '' : JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    drivers.push(...languagesHere.map((language) => installed.driver(language)));
  });
  afterAll(async () => {
    await Promise.all(drivers.map((driver) => driver.close()));
    server?.close();
  });

  it('is reached by both clients with the same request', async () => {
    expect(operations.length).toBeGreaterThan(60);
    const { port } = server.address() as AddressInfo;
    const settings = { baseUrl: `http://127.0.0.1:${port}/behind/`, token: '7|secret' };
    for (const operation of operations) {
      const { id, pathNames, path, body, headers, query, takesKey } = operation;
      answer = answerOf(operation);
      const call = {
        operation: id,
        path: pathNames.map((_, index) => `id ${index}`),
        ...(body === null ? {} : { body: { sent: id } }),
        ...(headers.length === 0
          ? {}
          : { headers: Object.fromEntries(headers.map(({ name }) => [name, 'https://a.b'])) }),
        ...(query.length === 0 ? {} : { query: Object.fromEntries(query.map(({ name }) => [name, '5'])) }),
        ...(operation.answer === 'page' ? { read: 'page' as const } : {}),
      };
      for (const driver of drivers) {
        const ending = await driver.play({ settings, ...call });
        expect(ending.error, id).toBeUndefined();
      }
      const [first, ...others] = seen.splice(0);
      for (const other of others) expect(other, id).toEqual(first);
      expect(others.length).toBe(drivers.length - 1);
      const filled = pathNames.reduce(
        (text, name, index) => text.replace(`{${name}}`, `id%20${index}`),
        path,
      );
      const asked = query.map(({ name }) => `${name}=5`).join('&');
      expect(first, id).toMatchObject({
        method: operation.method,
        path: `/behind${filled}${asked === '' ? '' : `?${asked}`}`,
        headers: { authorization: 'Bearer 7|secret', key: takesKey ? 'string' : 'undefined' },
        body: body === null ? null : { sent: id },
      });
    }
  });
});

function answerOf({ answer }: Operation): object | null {
  switch (answer) {
    case 'none':
      return null;
    case 'whole':
      return {};
    case 'data':
      return { data: {} };
    case 'page':
      return { data: [], links: {}, meta: { current_page: 1, last_page: 1 } };
  }
}
