// tier: system
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAway } from '../../engine/kit/roles/patience.ts';
import { makeAuthority } from '../support/authority.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { grantPrefix, openFromEnvironment } from '../support/kafka/secured-log.ts';
import {
  type Environment,
  openSecuredWays,
  type SecuredWays,
  without,
} from '../support/kafka/secured-ways.ts';
import { runCli } from '../support/run-cli.ts';
import { defaultOptions } from './harness.ts';

describeKafka('a broker with TLS and log-ins', () => {
  let ways: SecuredWays;

  beforeAll(async () => {
    ways = await openSecuredWays();
    await grantPrefix(ways.broker.address.plain, 'alice', 'broadside.');
  });
  afterAll(() => ways?.close());

  describe('lets in', () => {
    it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
      'a user with %s, whose only rights are those on the prefix',
      async (mechanism) => {
        await expectPassage({
          ...without(ways.as('alice', mechanism), 'KAFKA_SASL_PASSWORD'),
          KAFKA_SASL_PASSWORD_FILE: await ways.file('password', 'alice-secret'),
          KAFKA_TOPIC_PREFIX: `broadside.${mechanism}.`,
        });
      },
    );

    it('a client with a token that the brokers check by its signature', async () => {
      await expectPassage({ ...ways.withToken(), KAFKA_TOPIC_PREFIX: 'broadside.oauth.' });
    });

    it('a client certificate', async () => {
      const own = await ways.clientCertificate(
        'engine',
        await ways.broker.authority.issue({ name: 'engine' }),
      );
      await expectPassage({ ...ways.tls('mutual'), ...own, KAFKA_TOPIC_PREFIX: 'mutual.' });
    });
  });

  it('is checked by a command, as a role would meet it', async () => {
    const settings = { ...ways.as('alice', 'SCRAM-SHA-256'), KAFKA_TOPIC_PREFIX: 'broadside.check.' };
    const check = (env: Environment) => runCli(['kafka', 'check'], { cwd: dirname(ways.caFile), env });
    expect(await check(settings)).toEqual({
      code: 0,
      out: expect.stringMatching(/^Kafka lets Broadside in at .*: 8 topics behind broadside\.check\.\n$/),
      err: '',
    });
    expect(await check({ ...settings, KAFKA_SASL_PASSWORD: 'wrong' })).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^broadside: The Kafka brokers refuse the log-in with SCRAM-SHA-256.*\n$/),
    });
  });

  it('is believed under the name that KAFKA_SSL_SERVER_NAME says', async () => {
    await grantPrefix(ways.broker.address.plain, 'ANONYMOUS', 'elsewhere.');
    const named = { KAFKA_SSL_SERVER_NAME: 'kafka.example.com', KAFKA_TOPIC_PREFIX: 'elsewhere.' };
    await expectPassage({ ...ways.tls('elsewhere'), ...named });
  });

  describe('that speaks otherwise than KAFKA_SECURITY_PROTOCOL says is waited for, with a hint', () => {
    it.each([
      ['TLS is expected', 'scram', 'PLAINTEXT', /closed the connection: it may expect TLS or a log-in/],
      ['a log-in is expected', 'scram', 'SSL', /closed the connection: it may expect TLS or a log-in/],
      ['there is no TLS', 'plain', 'SSL', /ended the TLS handshake: its port may not speak TLS/],
    ] as const)('where %s', async (_, way, protocol, hint) => {
      const environment = { KAFKA_BROKERS: ways.broker.address[way], KAFKA_SECURITY_PROTOCOL: protocol };
      const ca = protocol === 'SSL' ? { KAFKA_SSL_CA_FILE: ways.caFile } : {};
      const error = await openFromEnvironment({ ...environment, ...ca }).catch((reason: Error) => reason);
      expect(error).toMatchObject({
        message: expect.stringContaining('Kafka does not answer'),
        cause: { message: expect.stringMatching(hint) },
      });
      expect(isAway(error)).toBe(true);
    });
  });

  describe('that refuses ends the start with one line', () => {
    const stranger = async () => (await makeAuthority('another authority')).issue({ name: 'stranger' });
    const cases: [string, () => Environment | Promise<Environment>, RegExp][] = [
      [
        'its certificate has expired',
        () => ways.tls('expired'),
        /certificate of the Kafka broker .* has expired/,
      ],
      [
        'its certificate is for another host',
        () => ways.tls('elsewhere'),
        /other names: .*KAFKA_SSL_SERVER_NAME/,
      ],
      [
        'its certificate is for another name than the one that is set',
        () => ({ ...ways.tls('elsewhere'), KAFKA_SSL_SERVER_NAME: 'other.example.com' }),
        /not for KAFKA_SSL_SERVER_NAME, other\.example\.com/,
      ],
      [
        'its authority is not known',
        () => without(ways.tls('mutual'), 'KAFKA_SSL_CA_FILE'),
        /is not signed by an authority that is trusted here: .*KAFKA_SSL_CA_FILE/,
      ],
      [
        'another authority is set',
        async () => ({
          ...ways.tls('mutual'),
          KAFKA_SSL_CA_FILE: await ways.file('other-ca.pem', (await makeAuthority('other')).cert),
        }),
        /KAFKA_SSL_CA holds another authority/,
      ],
      [
        'it wants a client certificate',
        () => ways.tls('mutual'),
        /wants a client certificate: set KAFKA_SSL_CERTIFICATE_FILE/,
      ],
      [
        'it does not trust the client certificate',
        async () => ({
          ...ways.tls('mutual'),
          ...(await ways.clientCertificate('stranger', await stranger())),
        }),
        /refuses the client certificate/,
      ],
      [
        'the client certificate has expired',
        async () => {
          const old = await ways.broker.authority.issue({ name: 'engine', expired: true });
          return { ...ways.tls('mutual'), ...(await ways.clientCertificate('old', old)) };
        },
        /KAFKA_SSL_CERTIFICATE expired on \d{4}-/,
      ],
      [
        'the password is wrong',
        () => ({ ...ways.as('alice', 'SCRAM-SHA-512'), KAFKA_SASL_PASSWORD: 'wrong' }),
        /refuse the log-in with SCRAM-SHA-512: check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD/,
      ],
      [
        'the password of PLAIN is wrong',
        () => ({ ...ways.as('alice', 'PLAIN'), KAFKA_SASL_PASSWORD: 'wrong' }),
        /refuse the log-in with PLAIN: check KAFKA_SASL_USERNAME/,
      ],
      [
        'the user does not exist',
        () => ways.as('nobody', 'SCRAM-SHA-256'),
        /refuse the log-in with SCRAM-SHA-256/,
      ],
      [
        'the mechanism is not enabled',
        () => ({ ...ways.withToken(), KAFKA_BROKERS: ways.broker.address.scram }),
        /do not offer the log-in of KAFKA_SASL_MECHANISM, OAUTHBEARER/,
      ],
      [
        'its port has no log-in',
        () => ({
          ...without(ways.as('alice', 'PLAIN'), 'KAFKA_SSL_CA_FILE'),
          KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT',
          KAFKA_BROKERS: ways.broker.address.plain,
        }),
        /has no log-in on this port: KAFKA_SECURITY_PROTOCOL is SASL_PLAINTEXT/,
      ],
      [
        'the secret of the OAuth client is wrong',
        () => ({ ...ways.withToken(), KAFKA_OAUTH_CLIENT_SECRET: 'wrong' }),
        /KAFKA_OAUTH_TOKEN_URL refuses to give a token \(invalid_client\): check KAFKA_OAUTH_CLIENT_ID/,
      ],
      [
        'the brokers do not take the token',
        () => ({ ...ways.withToken(), KAFKA_OAUTH_AUDIENCE: 'somebody else' }),
        /refuse the log-in with OAUTHBEARER \(invalid_token\): .*KAFKA_OAUTH_AUDIENCE/,
      ],
      [
        'the user may not create the topics',
        () => ways.as('bob', 'PLAIN'),
        /does not grant the topic broadside\..*: the user needs CREATE, DESCRIBE, READ and WRITE/,
      ],
      [
        'the topics want more copies than there are brokers',
        () => ({
          ...ways.as('alice', 'PLAIN'),
          KAFKA_TOPIC_PREFIX: 'broadside.copies.',
          KAFKA_REPLICATION_FACTOR: '3',
        }),
        /fewer brokers than KAFKA_REPLICATION_FACTOR, 3: lower it, or add brokers/,
      ],
    ];

    // At once: each mostly waits, for kafkajs to give up.
    it.concurrent.each(cases)('where %s', async (_, environment, line) => {
      const opening = openFromEnvironment(await environment());
      const error = await opening.then(
        () => null,
        (reason: Error) => reason,
      );
      expect(error?.message).toMatch(line);
      expect(error?.message.replace(/^wrong settings:\n/, '')).not.toContain('\n');
      expect(error?.message).not.toMatch(/alice-secret|bob-secret|client-secret/);
      expect(isAway(error)).toBe(false);
    });
  });
});

/** One message goes through the log and back. */
async function expectPassage(environment: Environment): Promise<void> {
  const { log } = await openFromEnvironment(environment);
  const { promise: arrived, resolve } = Promise.withResolvers<unknown>();
  await log.consume('deliveries', defaultOptions, async (records, claim) => {
    for (const record of records) await claim.done(record);
    resolve(records[0]?.value);
    return { kind: 'handled' };
  });
  await log.publish('deliveries', [{ key: '1', value: { delivery_id: 7 } }]);
  expect(await arrived).toEqual({ delivery_id: 7 });
  expect(await log.ping()).toBe(true);
  await log.close(1_000);
}
