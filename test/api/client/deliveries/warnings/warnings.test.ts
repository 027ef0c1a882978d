// tier: postgres
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPublicAddresses } from '../../../../../engine/network/public-addresses.ts';
import { loopbackAllowed, makePng, startImageServer } from '../../../../support/images.ts';
import { runCliHere } from '../../../../support/run-cli-here.ts';
import { appBody, callAs, createMember, openTestApi } from '../../../support.ts';

describe('the check of a notification before sending', async () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = await startImageServer((request, response) => answer(request, response));
  const api = await openTestApi({ publicAddresses: loopbackAllowed });
  const guarded = await openTestApi({ publicAddresses: createPublicAddresses(), database: api.database });
  const member = await createMember(api.database);
  const identifier = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data.identifier;
  afterAll(() => server.close());
  beforeEach(() => {
    server.asked.length = 0;
    answer = (_, response) => response.end(makePng());
  });

  let listening: Promise<string> | null = null;
  const address = (): Promise<string> => {
    listening ??= api.app.listen({ host: '127.0.0.1', port: 0 });
    return listening;
  };

  async function warned(body: object, on = api) {
    const given = await callAs(on.app, member)('POST', `/apps/${identifier}/deliveries/warnings`, body);
    expect(given.statusCode).toBe(200);
    return given.json().data;
  }

  it('says nothing of an ordinary notification, nor of one that is not begun', async () => {
    const body = { title: 'Storm', body: 'Trains stop.', image_url: `${server.url}/storm.png` };
    expect(await warned(body)).toEqual([]);
    expect(server.asked).toEqual(['/storm.png']);
    expect(await warned({})).toEqual([]);
    expect(await warned({ image_url: 'https://', url: 'news.' })).toEqual([]);
  });

  it('names fields of the main text, of buttons and of translations', async () => {
    const given = await warned({
      title: 'Virus detected!',
      action_buttons: [{ title: 'Claim your prize' }],
      translations: [{ title: 'KRIEG IN DER UKRAINE', body: 'Ihr Handy ist infiziert' }],
    });
    expect(given.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)).toEqual([
      '/title fake-system-message',
      '/action_buttons/0/title prize',
      '/translations/0/title all-capitals',
      '/translations/0/body fake-system-message',
    ]);
    expect(given.every(({ detail }: { detail: string }) => detail.length > 10)).toBe(true);
  });

  it('says that an image is not served to others, without a cookie of anybody, and needs no CORS', async () => {
    answer = (request, response) => {
      expect(request.headers.cookie).toBeUndefined();
      response.writeHead(403).end();
    };
    const image_url = `${server.url}/members.png`;
    expect(await warned({ image_url })).toEqual([
      {
        field: '/image_url',
        code: 'image-not-served',
        detail: 'The image_url field must lead to an image, not to an answer 403.',
      },
    ]);
    expect(await warned({ icon_url: image_url, image_url: `${server.url}/storm` })).toMatchObject([
      { field: '/image_url', code: 'image-not-served' },
      { field: '/icon_url', code: 'icon-not-served' },
    ]);
    answer = (_, response) => response.setHeader('content-type', 'text/html').end('<form>Log in</form>');
    expect(await warned({ image_url })).toMatchObject([{ code: 'image-not-served' }]);
    answer = (_, response) => response.end(makePng());
    expect(await warned({ image_url })).toEqual([]);
  });

  it('says which translations’ icons are not served, and fetches one of several languages once', async () => {
    answer = (request, response) =>
      request.url === '/closed.png' ? response.writeHead(403).end() : response.end(makePng());
    const [closed, open] = [`${server.url}/closed.png`, `${server.url}/open.png`];
    const translations = [closed, open, closed].map((icon_url) => ({ icon_url }));
    expect(await warned({ translations })).toMatchObject([
      { field: '/translations/0/icon_url', code: 'icon-not-served' },
      { field: '/translations/2/icon_url', code: 'icon-not-served' },
    ]);
    expect(server.asked.toSorted()).toEqual(['/closed.png', '/open.png']);
  });

  it('asks nothing of our own network', async () => {
    expect(await warned({ image_url: `${server.url}/storm.png` }, guarded)).toMatchObject([
      { code: 'image-not-served', detail: expect.stringContaining('public internet') },
    ]);
    expect(server.asked).toEqual([]);
  });

  it('stands on the command line beside the result, and stops nothing', async () => {
    const url = await address();
    const folder = await mkdtemp(join(tmpdir(), 'broadside-warnings-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const send = (title: string, ...more: string[]) =>
      runCliHere(
        [
          'send',
          '--app',
          identifier,
          '--title',
          title,
          '--body',
          'Text',
          '--url',
          'https://news.example.com/1',
          '--json',
          ...more,
        ],
        { cwd: folder, env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token } },
      );
    const quiet = await send('Storm over the coast');
    expect(quiet.err).toBe('');
    const loud = await send('YOUR ACCOUNT HAS BEEN SUSPENDED');
    expect(loud.err.split('\n')).toEqual([
      expect.stringMatching(/^Warning: --title: The title is all capitals/),
      expect.stringMatching(/^Warning: --title: Threatens/),
      '',
    ]);
    expect(JSON.parse(loud.out)).toMatchObject({ title: 'YOUR ACCOUNT HAS BEEN SUSPENDED' });
    expect(loud.code).toBe(0);
    const file = join(folder, 'odd.json');
    await writeFile(
      file,
      JSON.stringify([null, { title: 5, action_buttons: [7] }, { body: 'Du hast gewonnen!' }]),
    );
    const odd = await send('Storm', '--translations', file);
    expect(odd.err).toContain('Warning: --translations 3: Says that the reader has won');
    expect(odd.code).not.toBe(0);
  });

  it.each([
    [
      'welcome',
      [
        'welcome',
        'set',
        '--app',
        'APP',
        '--title',
        'CLAIM YOUR PRIZE TODAY',
        '--body',
        'Text',
        '--url',
        'https://news.example.com/1',
      ],
    ],
    [
      'a campaign',
      [
        'campaigns',
        'create',
        '--app',
        'APP',
        '--title',
        'CLAIM YOUR PRIZE TODAY',
        '--title',
        'Storm',
        '--body',
        'Text',
        '--url',
        'https://news.example.com/1',
        '--at',
        '2099-01-01T07:30',
      ],
    ],
  ])('stands on the command line beside %s as well', async (_, words) => {
    const url = await address();
    const args = words.map((word) => (word === 'APP' ? identifier : word));
    const { err } = await runCliHere(args, {
      cwd: tmpdir(),
      env: { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token },
    });
    expect(err).toMatch(/^Warning: (variant 1, )?--title: The title is all capitals/m);
  });
});
