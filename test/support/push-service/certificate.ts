import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** PEM the sender must trust: the certificate itself. */
  readonly caFile: string;
}

/** One certificate a directory: a restarted double keeps the one its clients trust already. */
export async function keepCertificate(directory: string, hosts: readonly string[]): Promise<Certificate> {
  const caFile = join(directory, 'ca.pem');
  const keyFile = join(directory, 'key.pem');
  if (!existsSync(caFile)) {
    const made = await makeCertificate(hosts);
    writeFileSync(keyFile, made.private, { mode: 0o600 });
    writeFileSync(caFile, made.cert);
  }
  return { cert: readFileSync(caFile, 'utf8'), key: readFileSync(keyFile, 'utf8'), caFile };
}

/** P-256 because a handshake with it is cheap; sha256 because the package still defaults to sha1. */
function makeCertificate(hosts: readonly string[]) {
  const names = new Set(['localhost', ...hosts.filter((host) => host !== '127.0.0.1')]);
  const altNames = [...names].map((value) => ({ type: 2 as const, value }));
  return generate([{ name: 'commonName', value: 'push service double' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...altNames, { type: 7, ip: '127.0.0.1' }] },
    ],
  });
}
