import dns from 'node:dns';
import { pushOrigins } from '../push-hosts.ts';

/** Loaded into an engine and each of its threads: the names of push services lead to this machine, and nowhere else. */
const hosts = new Set(pushOrigins.map(({ host }) => host));
const systemLookup = dns.lookup;

const lookup = (host: string, ...rest: unknown[]): unknown =>
  Reflect.apply(systemLookup, dns, [hosts.has(host) ? '127.0.0.1' : host, ...rest]);

dns.lookup = lookup as typeof dns.lookup;
