import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { counted } from '../../../engine/contract/counted.ts';
import { type Found, ok, problem, reasonOf, skipped, warning } from './finding.ts';

const CONNECT_MS = 5_000;
const DAY_MS = 86_400_000;
/** Who renews by a machine renews 30 days before the end: a machine that did not is to be checked. */
const SOON_DAYS = 14;

/**
 * What `PUBLIC_BASE_URL` shows to browsers: its end, and whether it is of that name. Whether this machine trusts its
 * authority says nothing of browsers, so that is a warning.
 * @param publicBaseUrl null: not set.
 */
export async function checkCertificate(publicBaseUrl: string | null, nowMs = Date.now()): Promise<Found> {
  if (publicBaseUrl === null) return skipped('PUBLIC_BASE_URL is not set');
  const url = new URL(publicBaseUrl);
  const at = url.host;
  if (url.protocol !== 'https:') return skipped(`PUBLIC_BASE_URL has none: ${at} is served without TLS`);
  const shown = await readCertificate(url);
  if (shown.error !== null)
    return problem(
      `${at} cannot be reached: ${reasonOf(shown.error)}`,
      'Check the proxy, DNS, and whether this machine can connect to its own public address.',
    );
  return judgeCertificate(at, url.hostname, shown, nowMs);
}

interface Shown {
  readonly certificate: PeerCertificate;
  /** Null: this machine trusts it. */
  readonly distrust: string | null;
  readonly error: null;
}

function judgeCertificate(at: string, name: string, { certificate, distrust }: Shown, nowMs: number): Found {
  const end = new Date(certificate.valid_to);
  const day = end.toISOString().slice(0, 10);
  const renew = 'Renew it, and have the proxy read the new one.';
  if (end.getTime() <= nowMs) return problem(`the certificate of ${at} ended on ${day}`, renew);
  const wrongName = checkServerIdentity(name, certificate);
  if (wrongName !== undefined)
    return problem(
      `the certificate of ${at} is of another name: ${certificate.subjectaltname ?? certificate.subject?.CN}`,
      `Give the proxy a certificate of ${name}, or correct PUBLIC_BASE_URL.`,
    );
  const days = Math.floor((end.getTime() - nowMs) / DAY_MS);
  if (days < SOON_DAYS)
    return warning(`the certificate of ${at} ends on ${day}, in ${counted(days, 'day')}`, renew);
  if (distrust !== null)
    return warning(
      `this machine does not trust the certificate of ${at} (${distrust})`,
      'If browsers do, all is well; otherwise have the proxy send the whole chain.',
    );
  return ok(`the certificate of ${at} is of that name, and good until ${day}`);
}

/** One TLS connection, closed at once. */
function readCertificate(url: URL): Promise<Shown | { readonly error: Error }> {
  const { promise, resolve } = Promise.withResolvers<Shown | { readonly error: Error }>();
  const { hostname } = url;
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 443),
    ...(/^[\d.[\]:]+$/.test(hostname) ? {} : { servername: hostname }),
    // It is judged below, with words for each reason.
    rejectUnauthorized: false,
  });
  const end = (ending: Shown | { readonly error: Error }): void => {
    resolve(ending);
    socket.destroy();
  };
  socket.setTimeout(CONNECT_MS, () => end({ error: new Error(`no answer within ${CONNECT_MS / 1_000} s`) }));
  socket.once('secureConnect', () =>
    end({
      certificate: socket.getPeerCertificate(),
      distrust: socket.authorized ? null : String(socket.authorizationError),
      error: null,
    }),
  );
  socket.once('error', (error) => end({ error }));
  return promise;
}
