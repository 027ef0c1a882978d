// tier: system
import { afterAll, beforeAll, it } from 'vitest';
import { pause, systemClock } from '../../engine/contract/concurrency/clock.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { BRIEF_LOG_IN_MS } from '../support/kafka/secured-broker.ts';
import { grantPrefix, openFromEnvironment } from '../support/kafka/secured-log.ts';
import { openSecuredWays, type SecuredWays } from '../support/kafka/secured-ways.ts';
import { collect, missing, publishSteadily } from '../support/kafka/steady.ts';

describeKafka('a broker that changes its mind while Broadside runs', () => {
  let ways: SecuredWays;

  beforeAll(async () => {
    ways = await openSecuredWays();
    await grantPrefix(ways.broker.address.plain, 'alice', 'broadside.');
  });
  afterAll(() => ways?.close());

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
    expect(publishing.rejected[0]).toMatch(/refuse the log-in with SCRAM-SHA-512: check KAFKA_SASL_USERNAME/);
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
