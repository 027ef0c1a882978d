import { shown } from './shown.ts';

/** The operator of an endpoint, known by its host. The order is stored (packed outcomes): append only. */
export const pushServices = ['other', 'fcm', 'mozilla', 'wns', 'apple'] as const;
export type PushService = (typeof pushServices)[number];

const hostSuffixes: readonly [suffix: string, service: PushService][] = [
  ['fcm.googleapis.com', 'fcm'],
  ['android.googleapis.com', 'fcm'],
  ['jmt17.google.com', 'fcm'],
  ['push.services.mozilla.com', 'mozilla'],
  ['notify.windows.com', 'wns'],
  ['push.apple.com', 'apple'],
];

/**
 * The hosts that browsers of each service use, where they are known exactly. Chromium's binary names two: Chrome Stable,
 * Brave, Opera, Vivaldi and Samsung Internet take `fcm.googleapis.com`; Chrome's other channels and builds without a brand
 * take `jmt17.google.com`. Firefox takes what Mozilla's autopush names (`endpoint_url`), Safari `web.push.apple.com` (Apple's "Sending web push
 * notifications in web apps and browsers"). Edge on Windows takes WNS, which has one name per data centre, such as
 * `wns2-by3p` or `db5p`, and adds some: Microsoft says to allow `*.notify.windows.com`. An invented one does not resolve.
 */
const exactHosts: ReadonlySet<string> = new Set([
  'fcm.googleapis.com',
  'android.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
]);
const openSuffix = 'notify.windows.com';
const dataCentre = /^[a-z0-9-]+$/;

/** Whether a push service is known to answer at this host: no stranger made up its name. */
export const isExactHost = (host: string): boolean => exactHosts.has(host);

/** False: it lies within a known service's domain, and is none of its hosts. */
function isRealHost(host: string): boolean {
  if (pushServiceOf(host) === 'other' || exactHosts.has(host)) return true;
  return host.endsWith(`.${openSuffix}`) && dataCentre.test(host.slice(0, -openSuffix.length - 1));
}

/** The hosts Broadside sends to unless the operator names others. Subdomains are included. */
export const knownPushHosts: readonly string[] = hostSuffixes.map(([suffix]) => suffix);

export function pushServiceOf(host: string): PushService {
  return hostSuffixes.find(([suffix]) => isHostWithin(host, suffix))?.[1] ?? 'other';
}

/** Whether `host` is `suffix` or a subdomain of it. Both in lower case, as `URL` gives them. */
export function isHostWithin(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}

export type EndpointRefusal =
  | 'not-a-url'
  | 'not-https'
  | 'has-credentials'
  | 'too-long'
  | 'unknown-push-service'
  | 'no-host-of-the-service';

/** Rather than for how the endpoint is written. */
export const isRefusedForItsHost = (refusal: EndpointRefusal): boolean =>
  refusal === 'unknown-push-service' || refusal === 'no-host-of-the-service';

export interface EndpointPolicy {
  /** Hosts (subdomains included) that endpoints may name, on the port of https; `host:port` names another. */
  readonly hosts: readonly string[];
  /** Tests and the demo only: any https host, loopback too. */
  readonly allowAnyHost: boolean;
}

const MAX_ENDPOINT_LENGTH = 2_048;
const MAX_SHOWN_HOST = 100;

/** The host of an endpoint that is refused, for people to read; null where it names none. */
export function hostToName(endpoint: string): string | null {
  const host = endpoint.length > MAX_ENDPOINT_LENGTH ? '' : (URL.parse(endpoint)?.host ?? '');
  if (host === '') return null;
  return shown(host.length > MAX_SHOWN_HOST ? `${host.slice(0, MAX_SHOWN_HOST)}…` : host);
}

/**
 * Decides whether a stranger's endpoint may be kept and sent to.
 * @returns the parsed URL, or why it is refused.
 */
export function parseEndpoint(endpoint: string, policy: EndpointPolicy): URL | EndpointRefusal {
  if (endpoint.length > MAX_ENDPOINT_LENGTH) return 'too-long';
  // The parser drops tabs and line ends from the middle of a URL; the stored text would not be the checked one.
  if (!/^[!-~]+$/.test(endpoint)) return 'not-a-url';
  const url = URL.parse(endpoint);
  if (url === null) return 'not-a-url';
  if (url.protocol !== 'https:') return 'not-https';
  if (url.username !== '' || url.password !== '') return 'has-credentials';
  if (!policy.allowAnyHost && !policy.hosts.some((host) => isOf(url, host))) return 'unknown-push-service';
  return url;
}

/**
 * The same check for an endpoint that is to be stored. For a push service with known hosts only those are
 * accepted, or one that the operator lists; rows from before that rule are still sent to.
 */
export function parseNewEndpoint(endpoint: string, policy: EndpointPolicy): URL | EndpointRefusal {
  const url = parseEndpoint(endpoint, policy);
  if (typeof url === 'string' || isRealHost(url.hostname)) return url;
  const isListed = policy.hosts.includes(url.hostname) && !knownPushHosts.includes(url.hostname);
  return isListed ? url : 'no-host-of-the-service';
}

function isOf(url: URL, host: string): boolean {
  return host.includes(':') ? url.host === host : url.port === '' && isHostWithin(url.hostname, host);
}
