// tier: postgres
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loopbackAllowed } from '../../support/images.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { appBody, openWithMember } from '../support.ts';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../support/icons/${name}`, import.meta.url));

describe('broadside apps icon and badge', async () => {
  const { api, member, call } = await openWithMember({ publicAddresses: loopbackAllowed });
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  // A site without a page or a picture.
  const app = (await call('POST', '/apps', { ...appBody(), site_domain: url })).json().data.identifier;
  const env = { BROADSIDE_URL: url, BROADSIDE_TOKEN: member.token };
  const run = (...args: string[]) => runCliHere(['apps', ...args], { cwd: '/', env });

  const read = async () => (await call('GET', `/apps/${app}`)).json().data;

  it('upload a file, take an address, and take both away', async () => {
    const uploaded = await run('icon', app, pathOf('cwebp-lossy.webp'));
    expect([uploaded.code, uploaded.out]).toEqual([0, expect.stringMatching(/-192\.png\n$/)]);
    expect((await run('badge', app, pathOf('pillow-badge.png'))).code).toBe(0);
    expect((await read()).badge_url).toMatch(/\/images\/[0-9a-f]{64}\.png$/);
    expect((await run('icon', app, 'https://news.example/i.png')).out).toBe('https://news.example/i.png\n');
    expect((await run('icon', app, '--remove')).out).toBe('none\n');
    expect((await read()).icon_url).toBeNull();
  });

  it.each([
    [['badge', pathOf('pillow-profile.png')], /white square/],
    [['icon', '/not/there.png'], /cannot read \/not\/there\.png/],
    [['icon'], /name a file or an address, or use --from-site, or --remove/],
    [['icon', pathOf('pillow-rgba.png'), '--remove'], /name a file or an address/],
    [['icon', '--from-site'], /the site shows no icon that would do/],
  ])('say what to do instead: %j', async ([command = '', ...rest], words) => {
    const { code, err } = await run(command, app, ...rest);
    expect([code, err]).toEqual([expect.any(Number), expect.stringMatching(words)]);
    expect(code).not.toBe(0);
  });
});
