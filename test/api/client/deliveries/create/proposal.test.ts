// tier: postgres
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readHead } from '../../../../../api/client/pages/read-head.ts';
import { createPublicAddresses } from '../../../../../engine/network/public-addresses.ts';
import { loopbackAllowed, startImageServer } from '../../../../support/images.ts';
import { appBody, callAs, createMember, openTestApi, type TestApi } from '../../../support.ts';

const nothing = { title: null, image_url: null };
const story =
  '<!doctype html><html><head><title>Site</title><meta property="og:title" content="Storm &amp; rain"><meta property="og:image" content="/storm.jpg"></head>';

describe('the proposal for a page', async () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = await startImageServer((request, response) => answer(request, response));
  const api = await openTestApi({ publicAddresses: loopbackAllowed });
  const guarded = await openTestApi({ publicAddresses: createPublicAddresses(), database: api.database });
  const member = await createMember(api.database);
  const callOf = (on: TestApi) => callAs(on.app, member);
  const path = `/apps/${(await callOf(api)('POST', '/apps', appBody())).json().data.identifier}/deliveries/proposal`;
  afterAll(() => server.close());
  beforeEach(() => {
    server.asked.length = 0;
    answer = (_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(story);
  });

  async function proposed(url: string, on = api): Promise<unknown> {
    const given = await callOf(on)('POST', path, { url });
    expect(given.statusCode).toBe(200);
    return given.json().data;
  }

  it('is the title and the image that the page names, the image by its whole address', async () => {
    expect(await proposed(`${server.url}/news/1`)).toEqual({
      title: 'Storm & rain',
      image_url: `${server.url}/storm.jpg`,
    });
  });

  it('follows redirects, and names the image from where the page is', async () => {
    const page = answer;
    answer = (request, response) =>
      request.url === '/old'
        ? response.writeHead(301, { location: '/a/new' }).end()
        : page(request, response);
    expect(await proposed(`${server.url}/old`)).toMatchObject({ image_url: `${server.url}/storm.jpg` });
    expect(server.asked).toEqual(['/old', '/a/new']);
  });

  it.each([
    ['no page', 'application/json', '{"title":"<title>x</title>"}'],
    ['an empty page', 'text/html', ''],
    [
      'an image that is not an address',
      'text/html',
      '<meta property="og:image" content="javascript:alert(1)">',
    ],
  ])('is nothing for %s', async (_, type, body) => {
    answer = (_request, response) => response.setHeader('content-type', type).end(body);
    expect(await proposed(server.url)).toEqual(nothing);
  });

  it('reads the beginning of an endless page, and no more', async () => {
    let written = 0;
    answer = (_request, response) => {
      response.setHeader('content-type', 'text/html').on('error', () => {});
      response.write(story.replace('</head>', ''));
      const pour = (): void => {
        while (!response.destroyed && written < 100_000_000) {
          written += 65_536;
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', pour);
        }
      };
      pour();
    };
    expect(await proposed(server.url)).toMatchObject({ title: 'Storm & rain' });
    // What the sockets between us hold, and no more.
    expect(written).toBeLessThan(20_000_000);
  });

  it('is equally empty for every internal address, and sends no request there', async () => {
    const { port } = new URL(server.url);
    const inside = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'];
    for (const host of [...inside, '10.0.0.1', '192.168.1.1', '169.254.169.254', 'user:secret@127.0.0.1']) {
      expect(await proposed(`http://${host}:${port}/`, guarded), host).toEqual(nothing);
    }
    expect(server.asked).toEqual([]);
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'file:///etc/passwd',
  ])('does not follow a redirect to %s', async (location) => {
    answer = (_request, response) => response.writeHead(302, { location }).end();
    expect(await proposed(server.url)).toEqual(nothing);
    expect(server.asked).toEqual(['/']);
  });

  it.each(['no address', 'file:///etc/passwd', 'javascript:alert(1)', ''])('refuses %j', async (url) => {
    const given = await callOf(api)('POST', path, { url });
    expect([given.statusCode, Object.keys(given.json().errors)]).toEqual([422, ['url']]);
  });

  it('is only for callers who may send for the app, and leaves no trace in the audit log', async () => {
    const stranger = callAs(api.app, await createMember(api.database));
    expect((await stranger('POST', path, { url: server.url })).statusCode).toBe(404);
    const reader = callAs(api.app, await createMember(api.database, { abilities: ['deliveries:read'] }));
    expect((await reader('POST', path, { url: server.url })).statusCode).toBe(403);
    const entries = await api.database.query(`SELECT action FROM audit_log WHERE action LIKE 'delivery%'`);
    expect([entries, server.asked]).toEqual([[], []]);
  });
});

describe('the head of a page', () => {
  it.each([
    ['<title>One\n  two</title>', 'One two', null],
    ['<title>Caf&eacute; &#8211; &#x1F600; &unknown; &#0;</title>', 'Café – 😀 &unknown;', null],
    ['<TITLE>Big</TITLE><META NAME=twitter:image CONTENT=/a.png>', 'Big', '/a.png'],
    ["<meta content='It''s' property='og:title'>", 'It', null],
    ['<meta property="og:title" content="a > b"><meta property="og:title" content="second">', 'a > b', null],
    ['<!-- <title>no</title> --><title>yes</title>', 'yes', null],
    ['<script>"<title>no</title>"</script><title>yes</title>', 'yes', null],
    ['<svg><title>icon</title></svg><title>yes</title>', 'yes', null],
    ['<head></head><title>too late</title>', null, null],
    ['<body><title>too late</title>', null, null],
    ['<title>never ends', 'never ends', null],
    ['<meta property="og:title" content="never ends', null, null],
    ['<meta property="og:title" content=" "><title>real</title>', 'real', null],
  ])('%j', (html, title, image) => {
    expect(readHead(html)).toMatchObject({ title, image });
  });

  // With steps back, each of them would take minutes.
  it('takes one pass, whatever a stranger writes', () => {
    const long = 400_000;
    const hostile = [
      '<',
      '<meta ',
      '<meta a=" ',
      '<!--',
      '<title>',
      '<script>',
      "<meta '",
      '<meta a   ',
      '&',
    ];
    for (const part of hostile) {
      const { image } = readHead(part.repeat(long / part.length));
      expect(image, part).toBeNull();
    }
  });
});
