// tier: postgres
import { describe, expect, it } from 'vitest';
import { parseEndpoint } from '../../engine/contract/push-service.ts';
import { openTestApi } from '../api/support.ts';
import { createSite } from '../support/site.ts';
import { insideHosts, noUrls } from './tricks.ts';

/** A stranger's endpoint on its way in: only known push services, named plainly, on the port of https. */
const api = await openTestApi();
const site = await createSite(api.app, api.database);

const refused: [trick: string, endpoint: string][] = [
  ...insideHosts.map(([trick, host]): [string, string] => [trick, `https://${host}/send/1`]),
  ...noUrls.map(([trick, text]): [string, string] => [trick, text('https')]),
  ['credentials', 'https://user:secret@push.example.com/send/1'],
  ['a user alone', 'https://user@push.example.com/send/1'],
  ['an empty user', 'https://:secret@push.example.com/send/1'],
  ['a known host as credentials', 'https://push.example.com@127.0.0.1/send/1'],
  ['a known host in the fragment', 'https://127.0.0.1#@push.example.com/send/1'],
  ['a known host behind a backslash', 'https://127.0.0.1\\@push.example.com/send/1'],
  ['a known host as a subdomain', 'https://push.example.com.evil.example/send/1'],
  ['a known host as an ending', 'https://evilpush.example.com/send/1'],
  ['a known host with a trailing dot', 'https://push.example.com./send/1'],
  ['a look-alike in other letters', 'https://рush.example.com/send/1'],
  ['its punycode', 'https://xn--ush-ded.example.com/send/1'],
  ['another port', 'https://push.example.com:8443/send/1'],
  ['plain http', 'http://push.example.com/send/1'],
  ['another scheme', 'file:///etc/passwd'],
  ['a line end in the middle', 'https://push.example\n.com/send/1'],
  ['a space before it', ' https://push.example.com/send/1'],
  ['no scheme', '//push.example.com/send/1'],
];

describe('an endpoint at subscribe', () => {
  it.each(refused)('is refused with %s: %s', async (_, endpoint) => {
    expect(parseEndpoint(endpoint, { hosts: ['push.example.com'], allowAnyHost: false })).toBeTypeOf(
      'string',
    );
    const answer = await site.post('subscribe', site.subscribeBody({}, { endpoint }));
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { success: false, message: 'Invalid request.' },
    ]);
    expect(await site.rows()).toEqual([]);
  });

  it.each([
    ['as it is', 'https://push.example.com/send/1'],
    ['in upper case', 'https://PUSH.example.com/send/1'],
    ['with the port of https', 'https://push.example.com:443/send/1'],
    ['as a subdomain', 'https://eu.push.example.com/send/1'],
  ])('is taken where it names a known host %s', (_, endpoint) => {
    const url = parseEndpoint(endpoint, { hosts: ['push.example.com'], allowAnyHost: false });
    expect(url).toBeInstanceOf(URL);
  });

  it('may name another port where the operator does', () => {
    const policy = { hosts: ['push.example.com:8443'], allowAnyHost: false };
    expect(parseEndpoint('https://push.example.com:8443/send/1', policy)).toBeInstanceOf(URL);
    expect(parseEndpoint('https://push.example.com/send/1', policy)).toBe('unknown-push-service');
    expect(parseEndpoint('https://a.push.example.com:8443/send/1', policy)).toBe('unknown-push-service');
  });
});
