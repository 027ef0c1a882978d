import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { isExactHost, knownPushHosts } from '../../../engine/contract/push-service.ts';
import { type Found, ok, problem, reasonOf, skipped } from './finding.ts';

/** Most hosts of the operator's own list that are asked. */
const MAX_HOSTS = 8;
const CONNECT_MS = 5_000;

/** The hosts of the known services, and those that an operator named. WNS has one name per data centre. */
export function hostsToAsk(pushServiceHosts: readonly string[]): string[] {
  const exact = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
  const known = exact.filter((host) =>
    pushServiceHosts.some((listed) => host === listed || host.endsWith(`.${listed}`)),
  );
  const own = pushServiceHosts.filter((host) => !knownPushHosts.includes(host) && !isExactHost(host));
  return [...known, ...own].slice(0, MAX_HOSTS);
}

/** One TLS connection each, closed at once: no message is sent. */
export async function checkPushServices(hosts: readonly string[], caFile: string | null): Promise<Found[]> {
  const extra = caFile === null ? null : await readFile(caFile, 'utf8');
  const ca = extra === null ? {} : { ca: [...getCACertificates('default'), extra] };
  const ends = await Promise.all(hosts.map((host) => shakeHands(host, ca)));
  const failed = ends.filter(({ error }) => error !== null);
  if (hosts.length > 0 && failed.length === hosts.length && failed.every(({ error }) => isOffline(error))) {
    const mend =
      'Check DNS, the firewall and the routes of this machine. Messages wait until their TTL ends.';
    return [problem('this machine is offline: no push service can be reached', mend)];
  }
  return [...ends.map(judge), ...notAsked(hosts)];
}

const notAsked = (hosts: readonly string[]): Found[] =>
  hosts.length === 0 ? [skipped('no push service with a known host is in PUSH_SERVICE_HOSTS')] : [];

interface Handshake {
  readonly host: string;
  readonly protocol: string;
  readonly error: Error | null;
}

function shakeHands(host: string, ca: object): Promise<Handshake> {
  const [name = host, port = '443'] = host.split(':');
  const { promise, resolve } = Promise.withResolvers<Handshake>();
  const socket = connect({
    host: name,
    port: Number(port),
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['h2', 'http/1.1'],
    ...ca,
  });
  const end = (error: Error | null): void => {
    resolve({ host, protocol: socket.alpnProtocol || 'http/1.1', error });
    socket.destroy();
  };
  socket.setTimeout(CONNECT_MS, () => end(new Error(`no answer within ${CONNECT_MS / 1_000} s`)));
  socket.once('secureConnect', () => end(null));
  socket.once('error', end);
  return promise;
}

function judge({ host, protocol, error }: Handshake): Found {
  if (error === null) return ok(`${host} answers (${protocol})`);
  const mend = isOffline(error)
    ? 'Let this machine connect to it on its port: firewall, DNS, proxy.'
    : 'Something between this machine and the service ends its TLS: let connections to it pass untouched.';
  return problem(`${host} cannot be reached: ${reasonOf(error)}`, mend);
}

const offlineCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ECONNREFUSED',
  'ETIMEDOUT',
]);

function isOffline(error: Error | null): boolean {
  const { code, errors = [] } = (error ?? {}) as { code?: string; errors?: readonly { code?: string }[] };
  if (error?.message.startsWith('no answer within')) return true;
  return [code, ...errors.map((one) => one.code)].some((one) => one !== undefined && offlineCodes.has(one));
}
