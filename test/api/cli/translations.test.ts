// tier: postgres
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, callAs, createMember, createTestApi } from '../support.ts';

it('send, deliveries change and deliveries correct take translations from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-translations-'));
  const api = await createTestApi();
  onTestFinished(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const member = await createMember(api.database);
  const call = callAs(api.app, member);
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const run = (...args: string[]) =>
    runCliHere(args, { cwd: folder, env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token } });
  const write = (name: string, content: unknown) => writeFile(join(folder, name), JSON.stringify(content));
  const german = { language: 'de', title: 'Guten Morgen', body: 'Drei Themen' };
  await write('de.json', [german]);
  await write('wrong.json', german);

  const words = ['--title', 'Hello {{ tag.name | default: "reader" }}', '--body', 'Three stories'];
  const send = (...args: string[]) =>
    run('send', '--app', identifier, ...words, '--url', 'https://news.example.com/1', '--json', ...args);
  const file = (name: string) => ['--translations', join(folder, name)];
  expect((await send(...file('none.json'))).err).toContain('cannot read the translations');
  expect((await send(...file('wrong.json'))).err).toContain('has no list');
  await write('twice.json', [german, german]);
  expect((await send(...file('twice.json'))).err).toContain('--translations must not name a language twice');
  const made = await send('--language', 'en', ...file('de.json'));
  expect(JSON.parse(made.out)).toMatchObject({ language: 'en', personal: true, translations: [german] });
  const { id } = JSON.parse(made.out);

  const deliveries = (what: string, ...args: string[]) =>
    run('deliveries', what, '--app', identifier, String(id), ...args);
  await api.database.query(`UPDATE deliveries SET status = 'scheduled', scheduled_at = '2999-01-01'`);
  await write('fr.json', [{ language: 'fr', title: 'Bonjour', body: 'Trois sujets' }]);
  const changed = await deliveries('change', ...file('fr.json'), '--language', 'en-GB', '--json');
  expect(JSON.parse(changed.out)).toMatchObject({ language: 'en-GB', translations: [{ language: 'fr' }] });

  await api.database.query(`UPDATE deliveries SET status = 'success', started_at = now()`);
  const left = await deliveries('correct', '--title', 'Sorry');
  expect(left.err).toContain('--translations or --main-text-only is required: the delivery has texts in fr');
  const corrected = await deliveries('correct', '--title', 'Sorry', '--main-text-only', '--json');
  expect(JSON.parse(corrected.out)).toMatchObject({ title: 'Sorry', language: 'en-GB', translations: [] });
  await api.database.query(`UPDATE deliveries SET status = 'cancelled' WHERE corrects_delivery_id = $1`, [
    id,
  ]);
  const linked = await deliveries('correct', '--url', 'https://news.example.com/2', '--json');
  expect(JSON.parse(linked.out)).toMatchObject({ translations: [{ language: 'fr', title: 'Bonjour' }] });
});
