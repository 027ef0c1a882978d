import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { kafkaSettings } from '../../contract/settings/kafka-settings.ts';
import type { Values } from '../../contract/settings/settings.ts';
import { SettingsError } from '../../contract/settings/settings-error.ts';

type TlsSettings = Pick<
  Values<typeof kafkaSettings>,
  | 'kafkaSecurityProtocol'
  | 'kafkaSslCa'
  | 'kafkaSslCertificate'
  | 'kafkaSslKey'
  | 'kafkaSslKeyPassword'
  | 'kafkaSslServerName'
>;

/**
 * The TLS of the connections; false without it. What can be known to be wrong before a broker is asked is said here,
 * because a handshake only says that it failed.
 * @throws SettingsError with a line for everything that is wrong.
 */
export function tlsOf(settings: TlsSettings): ConnectionOptions | false {
  const { kafkaSecurityProtocol: protocol, kafkaSslCa: ca, kafkaSslServerName: servername } = settings;
  if (protocol === 'PLAINTEXT' || protocol === 'SASL_PLAINTEXT') return false;
  const { kafkaSslCertificate: cert, kafkaSslKey: key, kafkaSslKeyPassword: passphrase } = settings;
  const lines = [...authorityLines(ca), ...clientLines(settings)];
  if (lines.length > 0) throw new SettingsError(lines);
  return {
    ...(ca === null ? {} : { ca }),
    ...(cert === null || key === null ? {} : { cert, key }),
    ...(passphrase === null ? {} : { passphrase }),
    ...(servername === null ? {} : { servername }),
  };
}

const onePem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesIn(pem: string): X509Certificate[] | null {
  try {
    return (pem.match(onePem) ?? []).map((text) => new X509Certificate(text));
  } catch {
    return null;
  }
}

const hasExpired = ({ validToDate }: X509Certificate): boolean => validToDate.getTime() < Date.now();
const dayOf = ({ validToDate }: X509Certificate): string => validToDate.toISOString().slice(0, 10);

/** Of a bundle some may have expired, as of a system's: only all of them sign nothing. */
function authorityLines(ca: string | null): string[] {
  if (ca === null) return [];
  const [first, ...others] = certificatesIn(ca) ?? [];
  if (first === undefined) return ['KAFKA_SSL_CA holds a certificate that cannot be read'];
  return [first, ...others].every(hasExpired) ? [`KAFKA_SSL_CA expired on ${dayOf(first)}`] : [];
}

function clientLines({ kafkaSslCertificate, kafkaSslKey, kafkaSslKeyPassword }: TlsSettings): string[] {
  if (kafkaSslCertificate === null || kafkaSslKey === null) return [];
  const [own] = certificatesIn(kafkaSslCertificate) ?? [];
  const key = privateKey(kafkaSslKey, kafkaSslKeyPassword);
  const lines: string[] = [];
  if (own === undefined) lines.push('KAFKA_SSL_CERTIFICATE holds a certificate that cannot be read');
  else if (hasExpired(own)) lines.push(`KAFKA_SSL_CERTIFICATE expired on ${dayOf(own)}`);
  if (typeof key === 'string') lines.push(key);
  else if (own !== undefined && !own.checkPrivateKey(key)) {
    lines.push(
      'KAFKA_SSL_KEY is not the private key of KAFKA_SSL_CERTIFICATE, whose own certificate comes first',
    );
  }
  return lines;
}

function privateKey(key: string, passphrase: string | null): KeyObject | string {
  try {
    return createPrivateKey({ key, ...(passphrase === null ? {} : { passphrase }) });
  } catch {
    if (!key.includes('ENCRYPTED')) return 'KAFKA_SSL_KEY holds a private key that cannot be read';
    return passphrase === null
      ? 'KAFKA_SSL_KEY_PASSWORD is missing, and KAFKA_SSL_KEY is encrypted'
      : 'KAFKA_SSL_KEY_PASSWORD does not open KAFKA_SSL_KEY';
  }
}
