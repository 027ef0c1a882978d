// tier: postgres
import { describe, expect, it } from 'vitest';
import { appBody, bearer, openTestApi } from '../../support.ts';
import { createPerson, openBrowser } from '../support.ts';

describe('a limited API token', async () => {
  const api = await openTestApi({ config: { trustedProxies: ['10.0.0.0/8'], clientRatePerMinute: 5 } });
  const person = await createPerson(api.database);
  const browser = await openBrowser(api.app, person);

  const abilities = ['apps:read', 'apps:write'];
  const newApp = async (by = browser): Promise<string> =>
    (await by.client('POST', '/apps', appBody())).json().data.identifier;
  const make = (limits: object) => browser.account('POST', '/tokens', { name: 'one', abilities, ...limits });
  const get = (token: string, from: { remoteAddress: string; headers?: Record<string, string> }) =>
    api.app.inject({
      url: '/api/v1/client/apps',
      ...from,
      headers: { ...bearer(token), ...from.headers },
    });

  it('shows its limits, in the list and in the audit log', async () => {
    const app = await newApp();
    const limits = { apps: [app], addresses: ['192.0.2.77/24', '2001:db8::1'] };
    const shown = { apps: [app], addresses: ['192.0.2.0/24', '2001:db8::1/128'] };
    const made = await make(limits);
    expect([made.statusCode, made.json().data]).toEqual([201, expect.objectContaining(shown)]);
    const { id } = made.json().data;
    expect((await browser.account('GET', '/tokens')).json().data).toContainEqual(
      expect.objectContaining({ id, ...shown }),
    );
    const [row] = await api.database.query(
      `SELECT detail FROM audit_log WHERE action = 'token.created' AND subject_id = $1`,
      [String(id)],
    );
    expect(row).toEqual({ detail: { name: 'one', abilities, ...limits } });
  });

  it('is not made for apps of others, or for what is not an address', async () => {
    const stranger = await openBrowser(api.app, await createPerson(api.database));
    const [own, foreign] = [await newApp(), await newApp(stranger)];
    const wrong = { apps: ['The apps field names an app that does not exist.'] };
    expect((await make({ apps: [own, foreign] })).json().errors).toEqual(wrong);
    expect((await make({ apps: [own, 'news-zzzzzz'] })).json().errors).toEqual(wrong);
    for (const range of ['news.example', '192.0.2.0/33', '10.0.0', '::ffff:192.0.2.1', 'fe80::1%eth0', '']) {
      const { errors } = (await make({ addresses: [range] })).json();
      expect([range, errors]).toEqual([
        range,
        {
          'addresses.0': [
            'The addresses.0 field must be an address such as 192.0.2.7, or a range such as 192.0.2.0/24.',
          ],
        },
      ]);
    }
    expect((await make({ apps: [] })).statusCode).toBe(422);
    expect((await make({ addresses: [] })).statusCode).toBe(422);
  });

  it('for an app that is gone is for none, not for all', async () => {
    const [gone] = [await newApp(), await newApp()];
    const { token } = (await make({ apps: [gone] })).json().data;
    expect((await browser.client('DELETE', `/apps/${gone}`)).statusCode).toBe(204);
    const answer = await get(token, { remoteAddress: '192.0.2.1' });
    expect([answer.statusCode, answer.json().data]).toEqual([200, []]);
    const listed: { apps: string[] | null }[] = (await browser.account('GET', '/tokens')).json().data;
    expect(listed.at(-1)?.apps).toEqual([]);
  });

  it('takes the address that a trusted proxy names, and no other’s word for it', async () => {
    const { token } = (await make({ addresses: ['192.0.2.0/24'] })).json().data;
    const forwarded = { 'x-forwarded-for': '192.0.2.9' };
    const statusFrom = async (remoteAddress: string, headers = {}) =>
      (await get(token, { remoteAddress, headers })).statusCode;
    expect(await statusFrom('10.0.0.1', forwarded)).toBe(200);
    expect(await statusFrom('::ffff:192.0.2.9')).toBe(200);
    expect(await statusFrom('198.51.100.1', forwarded)).toBe(401);
    expect(await statusFrom('10.0.0.1', { 'x-forwarded-for': '192.0.2.9, 198.51.100.1' })).toBe(401);
    expect(await statusFrom('10.0.0.1', { 'x-forwarded-for': 'unknown' })).toBe(401);
    expect(await statusFrom('fe80::1%eth0')).toBe(401);
  });

  it('uses no allowance from elsewhere: who stole it cannot lock its programs out', async () => {
    await api.database.query(`DELETE FROM request_hits`);
    const { token } = (await make({ addresses: ['192.0.2.0/24'] })).json().data;
    for (let n = 0; n < 10; n++) await get(token, { remoteAddress: '198.51.100.1' });
    const answer = await get(token, { remoteAddress: '192.0.2.1' });
    expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, '4']);
  });
});
