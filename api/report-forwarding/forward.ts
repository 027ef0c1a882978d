import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** The reporting API's answer; its body is not read yet. */
export type Forwarded =
  | { readonly kind: 'answer'; readonly answer: IncomingMessage }
  /** Nothing came: it is unavailable, or was too slow. */
  | { readonly kind: 'away'; readonly error: unknown };

export interface ReportSent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/reports`, made of words and numbers of this API. */
  readonly path: string;
  /** As it was given; null: none was. */
  readonly token: string | null;
  /** This API's word that somebody who is logged in asks it: then it does not count as a report of the token's owner. */
  readonly pass: string;
  readonly body: Buffer | null;
  /** Codings that the page takes. */
  readonly acceptEncoding: string;
  /** Cancels the request at any moment: the client disconnected, or it took too long. */
  readonly signal: AbortSignal;
}

/** A query may take 25 seconds there, after a wait for its turn; this API ends connections that are silent for 90. */
const FIRST_BYTE_MS = 85_000;

export type ForwardReport = (sent: ReportSent) => Promise<Forwarded>;

/**
 * Sends reports to the one address that the operator has set: nothing of a request chooses where it goes, and
 * no redirect is followed.
 */
export function createForwardReport(reportingUrl: string): ForwardReport {
  const base = `${reportingUrl}/api/v1/reports`;
  const request = base.startsWith('https:') ? requestHttps : requestHttp;
  return function forwardReport({ method, path, token, pass, body, acceptEncoding, signal }) {
    const headers = {
      accept: 'application/json',
      'accept-encoding': acceptEncoding,
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
      'x-report-pass': pass,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    return new Promise((resolve) => {
      // An agent of its own: no connection is shared, and no proxy of the environment is used.
      const sent = request(`${base}${path}`, { method, headers, signal, agent: false }, (answer) => {
        sent.setTimeout(0);
        resolve({ kind: 'answer', answer });
      });
      sent.setTimeout(FIRST_BYTE_MS, () => sent.destroy(new Error('the reporting API is silent')));
      sent.on('error', (error) => resolve({ kind: 'away', error }));
      sent.end(body ?? undefined);
    });
  };
}
