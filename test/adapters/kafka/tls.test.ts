// tier: unit
import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tlsOf } from '../../../engine/adapters/kafka/tls.ts';
import { SettingsError } from '../../../engine/contract/settings/settings-error.ts';
import { makeAuthority } from '../../support/authority.ts';

const authority = await makeAuthority();
const own = await authority.issue({ name: 'engine' });
const other = await authority.issue({ name: 'other' });
const expired = await authority.issue({ name: 'engine', expired: true });
const encryptedKey = createPrivateKey(own.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' })
  .toString();

const settings = {
  kafkaSecurityProtocol: 'SSL',
  kafkaSslCa: authority.cert,
  kafkaSslCertificate: own.cert,
  kafkaSslKey: own.key,
  kafkaSslKeyPassword: null,
  kafkaSslServerName: null,
} as const;

function linesOf(given: Partial<Parameters<typeof tlsOf>[0]>): readonly string[] {
  try {
    tlsOf({ ...settings, ...given });
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.lines;
  }
}

describe('the TLS of Kafka', () => {
  it('is what the settings say, and only that', () => {
    expect(tlsOf(settings)).toEqual({ ca: authority.cert, cert: own.cert, key: own.key });
    expect(tlsOf({ ...settings, kafkaSslServerName: 'kafka.example.com' })).toMatchObject({
      servername: 'kafka.example.com',
    });
    const alone = { ...settings, kafkaSslCa: null, kafkaSslCertificate: null, kafkaSslKey: null };
    expect(tlsOf(alone)).toEqual({});
    expect(tlsOf({ ...alone, kafkaSecurityProtocol: 'SASL_PLAINTEXT' })).toBe(false);
  });

  it('takes a key with its password', () => {
    const encrypted = { kafkaSslKey: encryptedKey, kafkaSslKeyPassword: 'open' };
    expect(linesOf(encrypted)).toEqual([]);
    expect(tlsOf({ ...settings, ...encrypted })).toMatchObject({ passphrase: 'open' });
  });

  it('takes a bundle of authorities of which one has expired', () => {
    expect(linesOf({ kafkaSslCa: `${expired.cert}\n${authority.cert}` })).toEqual([]);
  });

  it.each([
    [{ kafkaSslCa: expired.cert }, [/^KAFKA_SSL_CA expired on \d{4}-\d\d-\d\d$/]],
    [
      { kafkaSslCa: '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----' },
      [/^KAFKA_SSL_CA holds a certificate that cannot be read$/],
    ],
    [{ kafkaSslKey: other.key }, [/^KAFKA_SSL_KEY is not the private key of KAFKA_SSL_CERTIFICATE/]],
    [
      { kafkaSslKey: '-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----' },
      [/^KAFKA_SSL_KEY holds a private key that cannot be read$/],
    ],
    [{ kafkaSslKey: encryptedKey }, [/^KAFKA_SSL_KEY_PASSWORD is missing, and KAFKA_SSL_KEY is encrypted$/]],
    [
      { kafkaSslKey: encryptedKey, kafkaSslKeyPassword: 'shut' },
      [/^KAFKA_SSL_KEY_PASSWORD does not open KAFKA_SSL_KEY$/],
    ],
    [
      { kafkaSslCertificate: expired.cert, kafkaSslKey: expired.key, kafkaSslCa: expired.cert },
      [/^KAFKA_SSL_CA expired on/, /^KAFKA_SSL_CERTIFICATE expired on/],
    ],
  ])('that cannot work is refused before a broker is asked: case %#', (given, lines) => {
    expect(linesOf(given)).toEqual(lines.map((line) => expect.stringMatching(line)));
  });
});
