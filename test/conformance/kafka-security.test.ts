// tier: system
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, systemClock } from '../../engine/contract/concurrency/clock.ts';
import { isAway } from '../../engine/kit/roles/patience.ts';
import { makeAuthority } from '../support/authority.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { BRIEF_LOG_IN_MS } from '../support/kafka/secured-broker.ts';
import { grantPrefix, openFromEnvironment } from '../support/kafka/secured-log.ts';
import {
  type Environment,
  openSecuredWays,
  type SecuredWays,
  without,
} from '../support/kafka/secured-ways.ts';
import { collect, missing, publishSteadily } from '../support/kafka/steady.ts';
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

  describe('that changes its mind while Broadside runs', () => {
    it.concurrent('revokes a password: it is asked now and then, and everything arrives once the password is back', async ({
      expect,
    }) => {
      const { broker } = ways;
      const { log, said } = await openFromEnvironment(
        { ...ways.as('alice', 'SCRAM-SHA-512'), KAFKA_BROKERS: broker.address.brief },
        { logInAgainMs: BRIEF_LOG_IN_MS / 2, maxRefusalPauseMs: 2_000 },
      );
      const arrived = await collect(log);
      const publishing = publishSteadily(log);
      // Every connection logs in again meanwhile, under load.
      await pause(systemClock, 1.5 * BRIEF_LOG_IN_MS);
      expect(publishing.rejected).toEqual([]);

      await broker.setPassword('alice', null);
      await expect.poll(() => publishing.rejected.length).toBeGreaterThan(0);
      expect(publishing.rejected[0]).toMatch(
        /refuse the log-in with SCRAM-SHA-512: check KAFKA_SASL_USERNAME/,
      );
      await expect.poll(() => log.ping()).toBe(false);
      const before = broker.briefWay.connections();
      for (const end = performance.now() + 3_000; performance.now() < end; await pause(systemClock, 50)) {
        expect(await log.ping()).toBe(false);
      }
      // A publisher, a consumer and a readiness check: together about every two seconds.
      expect(broker.briefWay.connections() - before).toBeLessThan(8);
      const refusals = said.filter(({ level }) => level === 'error');
      expect(refusals.map(({ message }) => message)).toEqual([expect.stringContaining('refuse the log-in')]);

      const { size } = publishing.acknowledged;
      await broker.setPassword('alice', 'alice-secret');
      await expect.poll(() => publishing.acknowledged.size).toBeGreaterThan(size + 10);
      await publishing.stop();
      await expect.poll(() => missing(publishing, arrived)).toEqual([]);
      expect(said.map(({ message }) => message)).toContain('Kafka lets connections in again');
      expect(JSON.stringify(said)).not.toContain('alice-secret');
      await log.close(1_000);
    });

    it.concurrent('takes rights away: the log says which, and everything arrives once they are back', async ({
      expect,
    }) => {
      const takeAway = await grantPrefix(ways.broker.address.plain, 'bob', 'bobs.');
      const { log, said } = await openFromEnvironment({
        ...ways.as('bob', 'PLAIN'),
        KAFKA_TOPIC_PREFIX: 'bobs.',
      });
      const arrived = await collect(log);
      const publishing = publishSteadily(log);
      await expect.poll(() => arrived.size).toBeGreaterThan(5);

      await takeAway();
      await expect.poll(() => publishing.rejected.length).toBeGreaterThan(0);
      const line = /does not grant the topic bobs\.…: the user needs CREATE, DESCRIBE, READ and WRITE/;
      expect(publishing.rejected[0]).toMatch(line);
      const restarts = () => said.filter(({ message }) => message === 'a consumer starts again').length;
      await expect.poll(restarts).toBeGreaterThan(0);
      await pause(systemClock, 3_000);
      expect(restarts()).toBeLessThan(6);

      await grantPrefix(ways.broker.address.plain, 'bob', 'bobs.');
      const { size } = publishing.acknowledged;
      await expect.poll(() => publishing.acknowledged.size).toBeGreaterThan(size + 10);
      await publishing.stop();
      await expect.poll(() => missing(publishing, arrived)).toEqual([]);
      const errors = said.filter(({ level }) => level === 'error').map(({ message }) => message);
      expect(new Set(errors).size).toBe(errors.length);
      await log.close(1_000);
    });

    it.concurrent('lets tokens expire: connections log in again with new ones, unnoticed', async ({
      expect,
    }) => {
      const { tokens } = ways.broker;
      tokens.issues.lifeSeconds = 4;
      const before = tokens.issued();
      const { log, said } = await openFromEnvironment(
        { ...ways.withToken(), KAFKA_TOPIC_PREFIX: 'broadside.tokens.' },
        { logInAgainMs: 1_000, maxRefusalPauseMs: 2_000 },
      );
      const arrived = await collect(log);
      const publishing = publishSteadily(log);
      await pause(systemClock, 6_000);
      expect(publishing.rejected).toEqual([]);
      // A token is asked for when half of the last one's four seconds are over; not for each connection.
      expect(tokens.issued() - before).toBeGreaterThanOrEqual(2);
      expect(tokens.issued() - before).toBeLessThan(8);

      tokens.issues.refuses = true;
      await expect.poll(() => publishing.rejected.length).toBeGreaterThan(0);
      expect(publishing.rejected[0]).toMatch(
        /KAFKA_OAUTH_TOKEN_URL refuses to give a token \(invalid_client\)/,
      );
      tokens.issues.refuses = false;
      const { size } = publishing.acknowledged;
      await expect.poll(() => publishing.acknowledged.size).toBeGreaterThan(size + 10);
      await publishing.stop();
      await expect.poll(() => missing(publishing, arrived)).toEqual([]);
      expect(JSON.stringify(said)).not.toContain('client-secret');
      await log.close(1_000);
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
