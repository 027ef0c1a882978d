// tier: postgres
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { guides } from '../../../api/docs/guides.ts';
import { openTestApi } from '../support.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: object;
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

const api = await openTestApi();
const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = (
  await api.app.inject('/api/v1/openapi.json')
).json().paths;

/** The path of the operation that an address leads to: one that has fewer parameters goes first, as in the router. */
function pathOf(address: string, method: string): string | undefined {
  const path = address.split(/[?#]/)[0] ?? '';
  return Object.keys(paths)
    .filter((each) => paths[each]?.[method] !== undefined)
    .filter((each) => new RegExp(`^${each.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
    .toSorted((one, other) => one.split('{').length - other.split('{').length)[0];
}

const operations = (): [path: string, method: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      path,
      method,
      operation,
    ]),
  );

/** Every address of an API in a text, with placeholders as they are. */
const addressesIn = (text: string): string[] =>
  [...text.matchAll(/\/api\/v1\/[\w\-./{}<>%:~]*(?:\?[^"'`\s\\)]*)?/g)].map(([address]) => address);

/** What generators need not know, and the other listener's. */
const besides = [
  '/api/v1/openapi.json',
  '/api/v1/reports/generate',
  '/api/v1/reports/jobs',
  '/api/v1/reports/discrepancies',
  '/api/v1/reports/discrepancies/notes',
  '/api/v1/reports/anomalies',
  '/api/v1/reports/anomalies/mutes',
  '/api/v1/reports/days',
  '/api/v1/reports/restatements',
  '/api/v1/reports/saved',
  '/api/v1/reports/schedules',
  '/api/v1/reports/files/12/88/0?until=1770616803&signature=…',
  '/api/v1/account/log-in/callback',
  '/api/v1/account/log-in/organizations/{id}/callback',
];

describe('the paths of examples', () => {
  it('are those of their own operation, in every language of every sample', async () => {
    let seen = 0;
    for (const [path, method, operation] of operations()) {
      for (const { lang, source } of operation['x-codeSamples']) {
        const [address = ''] = addressesIn(source);
        seen++;
        expect(pathOf(address, method), `${operation.operationId} in ${lang}: ${address}`).toBe(path);
      }
      const url = path.replaceAll(/\{([^}]+)\}/g, ':$1');
      expect(api.app.hasRoute({ method: method.toUpperCase() as 'GET', url }), path).toBe(true);
    }
    expect(seen).toBeGreaterThan(400);
  });

  it('lead to their own list in every example of an answer', () => {
    let lists = 0;
    for (const [path, method, { operationId, responses }] of operations()) {
      const text = JSON.stringify(responses);
      for (const [, address = ''] of text.matchAll(
        /"(?:first|last|prev|next|path)":"https:\/\/[^/"]+(\/[^"]*)"/g,
      )) {
        lists++;
        expect(pathOf(address, method), operationId).toBe(path);
      }
    }
    expect(lists).toBeGreaterThan(40);
  });

  it('lead somewhere in every guide', async () => {
    const known = [...Object.keys(paths), ...besides];
    let seen = 0;
    for (const { name, file } of guides) {
      for (const address of addressesIn(await readFile(file, 'utf8'))) {
        const path = (address.split('?')[0] ?? '').replace(/[./]+$/, '');
        seen++;
        const isKnown = known.some(
          (each) =>
            each.startsWith(path) || new RegExp(`^${each.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
        );
        expect(isKnown, `${name}: ${address}`).toBe(true);
      }
    }
    expect(seen).toBeGreaterThan(5);
  });
});
