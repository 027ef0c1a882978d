import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Found, ok, problem, reasonOf, warning } from './finding.ts';

const SOON_MS = 14 * 86_400_000;

/** Settings of the listener for clients of Postgres, by their names. */
export interface WireFacts {
  readonly reportWirePort: number | null;
  readonly reportWireHost: string;
  readonly reportWireCertificateFile: string | null;
  readonly reportWireAllowClearText: boolean;
}

/** Whether clients of other machines can read reports through SQL. Nothing where there is no such listener. */
export async function checkReportWire(facts: WireFacts, nowMs = Date.now()): Promise<Found[]> {
  const { reportWirePort: port, reportWireHost: host, reportWireCertificateFile: file } = facts;
  if (port === null) return [];
  const at = `reports listen for SQL tools on ${host}:${port}`;
  if (file === null) {
    if (facts.reportWireAllowClearText)
      return [ok(`${at} without a certificate: the network or a proxy encrypts`)];
    if (/^(127\.|::1$|localhost$)/.test(host)) return [ok(`${at}, for clients of this machine`)];
    const mend = 'Set REPORT_WIRE_CERTIFICATE_FILE and REPORT_WIRE_KEY_FILE.';
    return [warning(`${at} without a certificate: clients of other machines are refused`, mend)];
  }
  const mend = 'Put a certificate with its chain there, as PEM; a new one is read by itself.';
  try {
    const end = new X509Certificate(await readFile(file)).validToDate;
    const day = end.toISOString().slice(0, 10);
    if (end.getTime() <= nowMs) return [problem(`${at}, and their certificate ended on ${day}`, mend)];
    if (end.getTime() < nowMs + SOON_MS)
      return [warning(`${at}, and their certificate ends on ${day}`, mend)];
    return [ok(`${at}, with a certificate that is good until ${day}`)];
  } catch (error) {
    return [problem(`REPORT_WIRE_CERTIFICATE_FILE cannot be read: ${reasonOf(error)}`, mend)];
  }
}
