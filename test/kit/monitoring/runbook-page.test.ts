// tier: postgres
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { watchingFiles } from '../../../engine/kit/monitoring/files.ts';
import { openTestApi } from '../../api/support.ts';

const api = await openTestApi();

it('each alert links to its lines on a page that the API serves', async () => {
  const text = watchingFiles('https://push.example.com/docs').find(({ name }) => name.endsWith('.yml'))?.text;
  const urls = [...(text ?? '').matchAll(/runbook_url: (.*)$/gm)].map(([, url = '']) => new URL(parse(url)));
  expect(urls.length).toBeGreaterThan(15);
  const [page] = urls;
  const { statusCode, body } = await api.app.inject({ url: page?.pathname ?? '' });
  expect(statusCode).toBe(200);
  const missing = urls.filter(
    ({ pathname, hash }) => pathname !== page?.pathname || !body.includes(`id="${hash.slice(1)}"`),
  );
  expect(missing.map(String)).toEqual([]);
});
