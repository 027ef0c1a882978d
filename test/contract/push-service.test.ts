// tier: unit
import { describe, expect, it } from 'vitest';
import {
  hostToName,
  knownPushHosts,
  parseEndpoint,
  parseNewEndpoint,
} from '../../engine/contract/push-service.ts';

const policy = { hosts: knownPushHosts, allowAnyHost: false };
const taken = (host: string, hosts = knownPushHosts): boolean =>
  typeof parseNewEndpoint(`https://${host}/send/1`, { ...policy, hosts }) !== 'string';

describe('an endpoint that is to be stored', () => {
  it.each([
    'fcm.googleapis.com',
    'android.googleapis.com',
    'jmt17.google.com',
    'updates.push.services.mozilla.com',
    'wns2-by3p.notify.windows.com',
    'web.push.apple.com',
  ])('is taken at %s, which browsers name', (host) => {
    expect(taken(host)).toBe(true);
  });

  it.each([
    'nope.fcm.googleapis.com',
    'fcm.googleapis.com.evil.example',
    'push.services.mozilla.com',
    'made-up.push.services.mozilla.com',
    'notify.windows.com',
    'a.b.notify.windows.com',
    'google.com',
    'www.jmt17.google.com',
    'push.apple.com',
    'other.push.apple.com',
  ])('is refused at %s, where no push service is known to answer', (host) => {
    expect(taken(host)).toBe(false);
  });

  it('is taken where the operator lists the host by itself', () => {
    const host = 'stage.push.services.mozilla.com';
    expect([taken(host), taken(host, [...knownPushHosts, host])]).toEqual([false, true]);
  });

  it('was stored before at another host of a service: that one is still sent to', () => {
    expect(parseEndpoint('https://old.push.services.mozilla.com/1', policy)).toBeInstanceOf(URL);
  });
});

describe('a refused host', () => {
  it.each([
    ['https://jmt99.google.com/fcm/send/1', 'jmt99.google.com'],
    ['https://push.example:8443/1', 'push.example:8443'],
    ['https://\u202eevil.example/1', null],
    ['not a URL', null],
    [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/1`, `${'a'.repeat(60)}.${'b'.repeat(39)}…`],
    [`https://long.example/${'x'.repeat(3_000)}`, null],
  ])('of %s is named as people may read it', (endpoint, host) => {
    expect(hostToName(endpoint)).toBe(host);
  });
});
