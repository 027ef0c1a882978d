// tier: postgres
import { assert, property, string } from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseBrowserFacts } from '../../../api/visitor/browser-facts.ts';
import { browserHeaders } from '../../../api/visitor/client-hints.ts';
import { createRecent } from '../../../engine/contract/concurrency/recent.ts';
import { createSite } from '../../support/site.ts';
import { createTestApi, type TestApi } from '../support.ts';

const chrome = (system: string, rest = ''): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0${rest} Safari/537.36`;
const windows = chrome('Windows NT 10.0; Win64; x64');
const phone = chrome('Linux; Android 10; K', ' Mobile');
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const facts = (headers: Record<string, string>) => {
  const { deviceType, browserName, browserVersion, osName, osVersion } = parseBrowserFacts(
    browserHeaders(headers),
  );
  return [deviceType, browserName, browserVersion, osName, osVersion];
};
const nothing = [null, null, null, null, null];

describe('browser, system and device', () => {
  it.each<[agent: string, expected: (string | null)[]]>([
    [windows, ['desktop', 'Chrome', '141.0.0.0', 'Windows', '10']],
    [`${windows} Edg/141.0.0.0`, ['desktop', 'Microsoft Edge', '141.0.0.0', 'Windows', '10']],
    [phone, ['mobile', 'Chrome', '141.0.0.0', 'Android', '10']],
    [chrome('Linux; Android 10; K'), ['tablet', 'Chrome', '141.0.0.0', 'Android', '10']],
    [`${mac} Version/18.4 Safari/605.1.15`, ['desktop', 'Safari', '18.4', 'macOS', '10.15.7']],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
      ['desktop', 'Firefox', '144.0', 'Linux', null],
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
      ['mobile', 'Safari', '18.4', 'iOS', '18.4'],
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      ['tablet', 'Safari', '16.6', 'iOS', '16.6'],
    ],
  ])('are known of %s', (agent, expected) => {
    expect(facts({ 'user-agent': agent })).toEqual(expected);
  });

  const brands = '"Not=A?Brand";v="8", "Chromium";v="141", "Google Chrome";v="141"';
  it.each<[what: string, headers: Record<string, string>, expected: (string | null)[]]>([
    [
      'the full versions, where a page delegates them',
      {
        'user-agent': windows,
        'sec-ch-ua': brands,
        'sec-ch-ua-full-version-list': '"Chromium";v="141.0.7390.54", "Google Chrome";v="141.0.7390.55"',
        'sec-ch-ua-mobile': '?0',
        'sec-ch-ua-platform': '"Windows"',
        'sec-ch-ua-platform-version': '"15.0.0"',
      },
      ['desktop', 'Chrome', '141.0.7390.55', 'Windows', '11'],
    ],
    [
      'no version of the system where the user agent has the frozen one',
      {
        'user-agent': phone,
        'sec-ch-ua': brands,
        'sec-ch-ua-mobile': '?1',
        'sec-ch-ua-platform': '"Android"',
      },
      ['mobile', 'Chrome', '141', 'Android', null],
    ],
    [
      'a tablet that asks for desktop pages',
      {
        'user-agent': chrome('X11; Linux x86_64'),
        'sec-ch-ua': brands,
        'sec-ch-ua-mobile': '?0',
        'sec-ch-ua-platform': '"Android"',
        'sec-ch-ua-platform-version': '"16.0.0"',
      },
      ['tablet', 'Chrome', '141', 'Android', '16.0.0'],
    ],
    [
      'a browser whose user agent is Chrome’s',
      { 'user-agent': windows, 'sec-ch-ua': '"Chromium";v="141", "Brave";v="141", "Not_A Brand";v="99"' },
      ['desktop', 'Brave', '141', 'Windows', '10'],
    ],
    [
      'Windows 10 as such',
      { 'user-agent': windows, 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-platform-version': '"10.0.0"' },
      ['desktop', 'Chrome', '141.0.0.0', 'Windows', '10'],
    ],
    [
      'hints alone',
      { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?1' },
      ['mobile', 'Chrome', '141', null, null],
    ],
    [
      'no more where they are garbage',
      { 'user-agent': windows, 'sec-ch-ua': '"', 'sec-ch-ua-platform': 'Windows' },
      ['desktop', 'Chrome', '141.0.0.0', 'Windows', '10'],
    ],
  ])('take from client hints %s', (_what, headers, expected) => {
    expect(facts(headers)).toEqual(expected);
  });

  it.each<[what: string, headers: Record<string, string>]>([
    [
      'a bot',
      {
        'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
        'sec-ch-ua': brands,
      },
    ],
    ['a tool', { 'user-agent': 'curl/8.0' }],
    ['garbage', { 'user-agent': '(((((' }],
    ['nothing', {}],
  ])('are null for %s', (_what, headers) => {
    expect(facts(headers)).toEqual(nothing);
  });

  it('of anything make no error and no long text', () => {
    void assert(
      property(string({ maxLength: 2_000 }), string({ maxLength: 300 }), (agent, hint) => {
        const headers = {
          'user-agent': agent,
          'sec-ch-ua': `"${hint}";v="${hint}"`,
          'sec-ch-ua-platform': `"${hint}"`,
        };
        for (const fact of facts(headers)) expect((fact ?? '').length).toBeLessThanOrEqual(64);
      }),
    );
    expect(facts({ 'user-agent': `Mozilla/5.0 Chrome/${'9'.repeat(5_000)}` }).join('').length).toBeLessThan(
      200,
    );
  });
});

it('keeps the most recently used parses, and evicts the least recently used', () => {
  let computed = 0;
  const { use: recent } = createRecent(2, (key: string) => `${key}${++computed}`);
  expect([recent('a'), recent('b'), recent('a'), recent('c'), recent('a'), recent('b')]).toEqual([
    'a1',
    'b2',
    'a1',
    'c3',
    'a1',
    'b4',
  ]);
});

describe('a subscription', async () => {
  const apis: TestApi[] = [];
  const start = async (config: { trustedProxies?: string[]; countryHeader?: string }) => {
    const api = await createTestApi({ config });
    apis.push(api);
    return createSite(api.app, api.database);
  };
  const plain = await start({});
  // What inject() gives requests as their address.
  const proxied = await start({
    trustedProxies: ['127.0.0.0/8', '2001:db8:ffff::/48'],
    countryHeader: 'CF-IPCountry',
  });
  afterAll(() => Promise.all(apis.map((api) => api.close())));

  const newest = async (site: typeof plain) => (await site.rows()).at(-1);
  const countryOf = async (site: typeof plain, headers: Record<string, string>) => {
    await site.post('subscribe', site.subscribeBody(), headers);
    return (await newest(site))?.country;
  };

  it('keeps them, and every known fact that a call does not mention', async () => {
    const body = plain.subscribeBody();
    await plain.post('subscribe', body, { 'user-agent': windows });
    const known = {
      device_type: 'desktop',
      browser_name: 'Chrome',
      browser_version: '141.0.0.0',
      os_name: 'Windows',
      os_version: '10',
    };
    expect(await newest(plain)).toMatchObject(known);
    await plain.post('subscribe', body, { 'user-agent': 'curl/8.0' });
    expect(await newest(plain)).toMatchObject(known);
    await plain.post('update_subscription', { userId: body.userId }, { 'user-agent': phone });
    expect(await newest(plain)).toMatchObject({ device_type: 'mobile', os_name: 'Android' });
  });

  it('keeps the time zone that the browser states, under one name, and when it changed', async () => {
    const body = plain.subscribeBody({ timeZone: 'Asia/Kolkata' });
    await plain.post('subscribe', body);
    expect(await newest(plain)).toMatchObject({ time_zone: 'Asia/Calcutta', time_zone_changed_at: null });
    // An unknown one, a fixed offset and none change nothing.
    for (const timeZone of ['Mars/Olympus', '+02:00', 'x'.repeat(64), undefined])
      expect((await plain.post('subscribe', { ...body, timeZone })).statusCode).toBe(200);
    expect(await newest(plain)).toMatchObject({ time_zone: 'Asia/Calcutta', time_zone_changed_at: null });
    await plain.post('subscribe', { ...body, timeZone: 'Europe/Berlin' });
    const moved = await newest(plain);
    expect(moved).toMatchObject({ time_zone: 'Europe/Berlin', time_zone_changed_at: expect.any(Date) });
    await plain.post('update_subscription', { userId: body.userId, timeZone: 'Europe/Berlin' });
    expect(await newest(plain)).toEqual(moved);
    await plain.post('update_subscription', { userId: body.userId, timeZone: 'UTC' });
    expect((await newest(plain))?.time_zone).toBe('UTC');
    // Also together with another endpoint.
    const { keys } = body.subscription;
    const subscription = { endpoint: `${body.subscription.endpoint}-moved`, keys };
    await plain.post('subscribe', { ...body, subscription, timeZone: 'Asia/Tokyo' });
    expect((await newest(plain))?.time_zone).toBe('Asia/Tokyo');
  });

  it('keeps the language that the browser states, in its canonical form', async () => {
    const body = plain.subscribeBody({ language: 'pt-br' });
    await plain.post('subscribe', body);
    expect((await newest(plain))?.language).toBe('pt-BR');
    for (const language of ['no language', 'und', '', undefined])
      expect((await plain.post('subscribe', { ...body, language })).statusCode).toBe(200);
    expect((await newest(plain))?.language).toBe('pt-BR');
    await plain.post('subscribe', { ...body, language: 'de' });
    expect((await newest(plain))?.language).toBe('de');
    await plain.post('update_subscription', { userId: body.userId, language: 'fr-CA' });
    expect((await newest(plain))?.language).toBe('fr-CA');
  });

  it('of another browser or system keeps nothing of the one before', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
    const moved = {
      ...{ device_type: 'desktop', browser_name: 'Firefox', browser_version: '144.0' },
      ...{ os_name: 'Linux', os_version: null },
    };
    const body = plain.subscribeBody();
    const ways = {
      subscribe: { ...body, externalIds: {} },
      update_subscription: { userId: body.userId, externalIds: {} },
    } as const;
    for (const [path, call] of Object.entries(ways)) {
      await plain.post('subscribe', body, { 'user-agent': windows });
      expect(await newest(plain)).toMatchObject({ os_name: 'Windows', os_version: '10' });
      await plain.post(path as keyof typeof ways, call, { 'user-agent': firefox });
      expect(await newest(plain)).toMatchObject(moved);
    }
    // Also where its row moves to another endpoint.
    await plain.post('subscribe', body, { 'user-agent': windows });
    await plain.post('subscribe', plain.subscribeBody({ userId: body.userId }), { 'user-agent': firefox });
    expect(await newest(plain)).toMatchObject(moved);
  });

  it('keeps the version that a request of the same browser leaves out', async () => {
    const body = plain.subscribeBody();
    const hints = { 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Windows"' };
    const headers = { 'user-agent': windows, 'sec-ch-ua': '"Google Chrome";v="141"', ...hints };
    await plain.post('subscribe', body, { ...headers, 'sec-ch-ua-platform-version': '"15.0.0"' });
    await plain.post('subscribe', body, headers);
    expect(await newest(plain)).toMatchObject({ os_name: 'Windows', os_version: '11' });
  });

  it('takes its country from the address that a trusted proxy forwards, IPv4 and IPv6, mapped or with a port', async () => {
    for (const [address, country] of [
      ['193.0.6.139', 'NL'],
      ['::ffff:193.0.6.139', 'NL'],
      ['193.0.6.139:4711', 'NL'],
      ['2001:67c:2e8:22::c100:68b', 'NL'],
      ['10.0.0.1', null],
      ['unknown', null],
    ] as const)
      expect([address, await countryOf(proxied, { 'x-forwarded-for': address })]).toEqual([address, country]);
  });

  it('takes its country from the header of a trusted proxy before that', async () => {
    const forwarded = { 'x-forwarded-for': '193.0.6.139' };
    expect(await countryOf(proxied, { ...forwarded, 'cf-ipcountry': 'BR' })).toBe('BR');
    for (const unknown of ['XX', 'T1', 'br', 'Brazil', ''])
      expect(await countryOf(proxied, { ...forwarded, 'cf-ipcountry': unknown })).toBe('NL');
  });

  it('trusts neither header of other peers', async () => {
    expect(await countryOf(plain, { 'x-forwarded-for': '193.0.6.139', 'cf-ipcountry': 'BR' })).toBe(null);
    const elsewhere = await start({ trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' });
    expect(await countryOf(elsewhere, { 'x-forwarded-for': '193.0.6.139', 'cf-ipcountry': 'BR' })).toBe(null);
  });
});
