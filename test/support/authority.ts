import { generate } from 'selfsigned';

/** A certificate with its private key, both PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  /** The common name, which Kafka makes a client's user of: `User:CN=…`. */
  readonly name: string;
  /** Names and addresses of a server; a client's certificate has none. */
  readonly hosts?: readonly string[];
  readonly expired?: boolean;
}

/** An authority of a test, made again each time: nothing of it is kept. */
export interface Authority {
  readonly cert: string;
  issue(options: IssueOptions): Promise<Pair>;
}

const DAY_MS = 86_400_000;
/** P-256 because a handshake with it is cheap; sha256 because the package still defaults to sha1. */
const kind = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

export async function makeAuthority(name = 'authority of a test'): Promise<Authority> {
  const ca = await generate([{ name: 'commonName', value: name }], {
    ...kind,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
    ],
  });
  return {
    cert: ca.cert,
    issue: async ({ name: commonName, hosts = [], expired = false }) => {
      const altNames = hosts.map((host) =>
        /^[\d.]+$/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
      );
      const made = await generate([{ name: 'commonName', value: commonName }], {
        ...kind,
        ca: { key: ca.private, cert: ca.cert },
        notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
        notAfterDate: new Date(Date.now() + (expired ? -DAY_MS : DAY_MS)),
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          ...(altNames.length > 0 ? [{ name: 'subjectAltName' as const, altNames }] : []),
        ],
      });
      return { cert: made.cert, key: made.private };
    },
  };
}
