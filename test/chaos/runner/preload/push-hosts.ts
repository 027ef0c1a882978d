import dns from 'node:dns';
import { isIP } from 'node:net';
import { pushOrigins } from '../push-hosts.ts';

/**
 * Loaded into a process and each of its threads: the names of push services lead to this machine, and any other name
 * nowhere. Strangers make some up, and no question about one may leave this machine.
 */
const hosts = new Set(pushOrigins.map(({ host }) => host));
const systemLookup = dns.lookup;
const NOT_FOUND_AFTER_MS = 20;

const lookup = (host: string, ...rest: unknown[]): unknown => {
  if (hosts.has(host)) return Reflect.apply(systemLookup, dns, ['127.0.0.1', ...rest]);
  if (isIP(host) !== 0 || host === 'localhost') return Reflect.apply(systemLookup, dns, [host, ...rest]);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  const callback = rest.at(-1) as (error: Error) => void;
  return setTimeout(() => callback(error), NOT_FOUND_AFTER_MS);
};

dns.lookup = lookup as typeof dns.lookup;
