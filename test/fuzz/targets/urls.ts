import { isIP } from 'node:net';
import fc from 'fast-check';
import { isHttpUrl } from '../../../api/http/fields.ts';
import { isHostWithin, knownPushHosts, parseNewEndpoint } from '../../../engine/contract/push-service.ts';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { buildNotification } from '../../../engine/notification/notification.ts';
import { type FuzzTarget, MOST_MS, within } from '../target.ts';

const scheme = fc.constantFrom(
  'https://',
  'http://',
  'HTTPS://',
  'https:/',
  'https:\\\\',
  'javascript:',
  '//',
  '',
);
const host = fc.oneof(
  fc.constantFrom(
    ...['fcm.googleapis.com', 'FCM.googleapis.com.', 'fcm.googleapis.com:443', 'fcm.googleapis.com:8443'],
    ...['fcm.googleapis.com@evil.example', 'evil.example#fcm.googleapis.com', 'xfcm.googleapis.com'],
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '169.254.169.254',
    ],
    ...['10.0.0.1', '[fd00::1]', '[64:ff9b::7f00:1]', '0', '①②⑦.0.0.1', 'ⓛocalhost', 'news.example', ''],
  ),
  fc.domain(),
  fc.ipV4Extended(),
  fc.ipV6().map((address) => `[${address}]`),
);
const worst = fc
  .tuple(
    fc.constantFrom('/', '{{', '&utm_x=1', '%', '[', '?', '#', '\u0301', '..%2f', '{{ tag.a }}'),
    fc.integer({ min: 0, max: 20_000 }),
  )
  .map(([piece, length]) => piece.repeat(length).slice(0, 65_536));
const rest = fc.oneof(
  fc.constantFrom(' ', '\u0001', '\t', '\n', '\u2028', '\ufeff', '#', '?', '?a#b', '\\'),
  fc.webPath(),
  fc.string({ maxLength: 40 }),
  worst,
);

/** Addresses as people and strangers write them. */
export const addresses = fc.tuple(scheme, host, rest).map((parts) => parts.join(''));

const publicAddresses = createPublicAddresses();
const policy = { hosts: knownPushHosts, allowAnyHost: false };
const MOST_URL = 2_048;
const params = [{ key: 'utm_source', value: 'push' }];
const content = {
  ...{ title: 't', body: 'b', imageUrl: null, buttons: [], topic: null, language: null },
  ...{ requireInteraction: false, silent: false, vibratePattern: [] },
};
const origin = { app: 'a', delivery: 'd', proof: 'p' };

function checkEndpoint(text: string): void {
  const endpoint = within(MOST_MS, () => parseNewEndpoint(text, policy));
  if (typeof endpoint === 'string') return;
  const { protocol, hostname, port, username } = new URL(text);
  const isKnown = knownPushHosts.some((known) => isHostWithin(hostname, known));
  if (protocol !== 'https:' || port !== '' || username !== '' || !isKnown)
    throw new Error(`${text} was taken for an endpoint`);
}

/** The query is added, and the reader still lands where the publisher said. */
function checkLanding(text: string): void {
  if (!within(MOST_MS, () => isHttpUrl(text)) || text.length > MOST_URL) return;
  const url = new URL(text);
  const plaintext = within(MOST_MS, () => buildNotification({ ...content, url: text }, origin, params));
  const { navigate } = JSON.parse(plaintext.toString()).notification;
  if (new URL(navigate).origin !== url.origin) throw new Error(`${text} leads to ${navigate}`);
}

function checkGuard(text: string): void {
  const url = URL.parse(text);
  if (url === null) return;
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  if (within(MOST_MS, () => publicAddresses.allows(bare)) && isPrivate(bare))
    throw new Error(`${url.hostname} was taken for a public address`);
}

/** Of an address itself: what a name leads to is looked up. */
const isPrivate = (host: string): boolean =>
  isIP(host) !== 0 && (host === '::1' || /^(?:(?:127|10|0)\.|169\.254\.|f[cd][\da-f]{2}:)/.test(host));

export const urlsTarget: FuzzTarget = {
  name: 'urls',
  holds: 'endpoints, landing pages and the guard agree with the URL standard, within 20 ms',
  property: fc.property(addresses, (text) => {
    checkEndpoint(text);
    checkLanding(text);
    checkGuard(text);
  }),
};
