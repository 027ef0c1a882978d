import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';
import { resultOr } from '../../contract/concurrency/time-limit.ts';

const CONNECT_MS = 5_000;
/** A certificate is replaced weeks before its end: to look every ten minutes finds the new one soon enough. */
const CHECK_EVERY_MS = 600_000;

/** @param pem a certificate, with its chain or without. @returns when it ends, in seconds since 1970. */
export const endOfCertificate = (pem: string): number =>
  new X509Certificate(pem).validToDate.getTime() / 1_000;

/**
 * When the certificate of our own address ends, as browsers see it: in most installations a proxy has it.
 * @returns at once what was found last, in seconds since 1970; null: nothing yet, or the address is not on https.
 */
export function createOwnCertificate(url: string | null, clock: Clock = systemClock): () => number | null {
  let end: number | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (url?.startsWith('https:') && clock.now() - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = clock.now();
      void readEnd(new URL(url)).then((found) => {
        end = found ?? end;
      });
    }
    return end;
  };
}

/** Null where nothing answers. One that has ended, or is not to be trusted, is exactly what an operator must see. */
async function readEnd({ hostname, port }: URL): Promise<number | null> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
  });
  const shown = new Promise<number | null>((resolve) => {
    socket.once('secureConnect', () => {
      const { validToDate } = socket.getPeerX509Certificate() ?? {};
      resolve(validToDate === undefined ? null : validToDate.getTime() / 1_000);
    });
    socket.once('close', () => resolve(null));
    socket.on('error', () => resolve(null));
  });
  try {
    return await resultOr(null, CONNECT_MS, () => shown);
  } finally {
    socket.destroy();
  }
}
