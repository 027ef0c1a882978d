import { createSecureContext, getCACertificates, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { notPublic, type PublicAddresses } from '../../network/public-addresses.ts';

export interface ConnectOptions {
  readonly connectTimeoutMs: number;
  readonly maxOrigins: number;
  readonly extraCa: string | null;
}

export type Connect = (
  origin: string,
  callback: (error: Error | null, socket: TLSSocket | null) => void,
) => void;

/** TLS sockets that offer HTTP/2 and HTTP/1.1. @param addresses which ones may be connected to; null: any. */
export function createConnect(options: ConnectOptions, addresses: PublicAddresses | null): Connect {
  const ca = options.extraCa === null ? {} : { ca: [...getCACertificates('default'), options.extraCa] };
  const connect = buildConnector({
    allowH2: true,
    // Without it undici names http/1.1 first, and a server that heeds the order takes it.
    preferH2: true,
    timeout: options.connectTimeoutMs,
    maxCachedSessions: options.maxOrigins,
    // One for all sockets: reading the authorities takes milliseconds.
    secureContext: createSecureContext(ca),
    ...(addresses === null ? {} : { lookup: addresses.lookup }),
  });
  return (origin, callback) => {
    const { protocol, host, hostname, port } = new URL(origin);
    if (addresses !== null && !addresses.allows(hostname)) {
      queueMicrotask(() => callback(notPublic(hostname), null));
      return;
    }
    // Addresses of IPv6 are in brackets in a URL, and in none where one connects.
    const target = { protocol, host, port, hostname: hostname.replace(/^\[(.*)\]$/, '$1') };
    connect(target, (error, socket) => callback(error, socket as TLSSocket | null));
  };
}
