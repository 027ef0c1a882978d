// tier: unit
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiSettings, readApiConfig } from '../../api/settings/config.ts';
import { withDotEnv } from '../../engine/adapters/settings/read-settings.ts';
import { engineSettings, readEngineConfig } from '../../engine/config.ts';
import { describeSettings } from '../../engine/contract/settings/settings.ts';
import { SettingsError } from '../../engine/contract/settings/settings-error.ts';

const good = {
  DATABASE_URL: 'postgres://user@db.example.com/broadside',
  MASTER_KEY: randomBytes(32).toString('base64'),
  VAPID_SUBJECT: 'mailto:push@example.com',
};

function linesOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('have defaults, types and names of their own, and are frozen', () => {
    const config = readApiConfig({
      ...good,
      API_PORT: '9000',
      ALLOW_LOCALHOST_ORIGIN: 'true',
      PUSH_SERVICE_HOSTS: 'a.com,b.com',
    });
    expect(config).toMatchObject({
      apiHost: '127.0.0.1',
      apiPort: 9_000,
      allowLocalhostOrigin: true,
      pushServiceHosts: ['a.com', 'b.com'],
      publicBaseUrl: null,
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(readEngineConfig(good)).toMatchObject({
      shardBlocks: expect.any(Number),
      logBackend: 'pgboss',
      kafkaBrokers: [],
    });
  });

  it('set to nothing count as not set', () => {
    expect(readApiConfig({ ...good, API_PORT: '', PUBLIC_BASE_URL: '' })).toMatchObject({
      apiPort: 8_080,
      publicBaseUrl: null,
    });
  });

  it('that are wrong are all named at once, with their rule, and never with their value', () => {
    const lines = linesOf(() =>
      readEngineConfig({
        MASTER_KEY: 'secret-value',
        VAPID_SUBJECT: 'mailto:push@localhost',
        LOG_BACKEND: 'rabbit',
        SHARD_BLOCKS: 'many',
        LEASE_MS: '2000',
      }),
    );
    const starts = [
      /^DATABASE_URL is missing/,
      /^MASTER_KEY must be 32 bytes/,
      /^VAPID_SUBJECT must be/,
      /^LOG_BACKEND must be one of pgboss, kafka/,
      /^SHARD_BLOCKS must be/,
      /^LEASE_MS must be longer than/,
    ];
    expect(lines).toHaveLength(starts.length);
    for (const start of starts) expect(lines).toContainEqual(expect.stringMatching(start));
    expect(lines.join()).not.toContain('secret-value');
  });

  it('that contradict each other are refused', () => {
    expect(linesOf(() => readEngineConfig({ ...good, LOG_BACKEND: 'kafka' }))).toEqual([
      expect.stringMatching(/^KAFKA_BROKERS is missing/),
    ]);
    expect(linesOf(() => readEngineConfig({ ...good, RETRY_BASE_MS: '9000', RETRY_MAX_MS: '10' }))).toEqual([
      'RETRY_BASE_MS must be at most RETRY_MAX_MS',
    ]);
  });

  it.each([
    'replica:5432/db',
    'postgres://a:p,w@replica/db',
    'postgres://a:b@replica:99999/db',
    'postgres://a:b@/db',
  ])('take no replica at %s', (url) => {
    expect(linesOf(() => readEngineConfig({ ...good, DATABASE_READ_URLS: url }))).toEqual([
      expect.stringMatching(/^DATABASE_READ_URLS must be URLs such as/),
    ]);
    const right = 'postgres://a:p%2Cw@one:5432/db,postgresql://a:b@two/db';
    expect(readEngineConfig({ ...good, DATABASE_READ_URLS: right }).databaseReadUrls).toHaveLength(2);
  });

  it.each(['0.0.0.0', '::', '10.0.0.5', 'api.internal'])(
    'without PUBLIC_BASE_URL let no API listen on %s',
    (host) => {
      const given = { ...good, API_HOST: host };
      expect(linesOf(() => readApiConfig(given))).toEqual([
        expect.stringMatching(/^PUBLIC_BASE_URL must be set where API_HOST is not loopback/),
      ]);
      expect(linesOf(() => readApiConfig({ ...given, PUBLIC_BASE_URL: 'https://push.example.com' }))).toEqual(
        [],
      );
    },
  );

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('may leave PUBLIC_BASE_URL out on %s', (host) => {
    expect(linesOf(() => readApiConfig({ ...good, API_HOST: host }))).toEqual([]);
  });

  it('refuse a secret of the internal listener that could be guessed', () => {
    expect(linesOf(() => readEngineConfig({ ...good, INTERNAL_SECRET: 'short' }))).toHaveLength(1);
    expect(linesOf(() => readEngineConfig({ ...good, INTERNAL_SECRET: 'sixteen-letters-' }))).toEqual([]);
  });

  it.each([
    ['mailto:a@example.com', true],
    ['https://example.com/contact', true],
    ['https://localhost.example.com', true],
    ['mailto:a@localhost', false],
    ['https://localhost:8080/', false],
    ['https://push.invalid', false],
    ['push@example.com', false],
    ['http://example.com', false],
  ])('take %s as a VAPID subject: %s', (subject, taken) => {
    expect(linesOf(() => readEngineConfig({ ...good, VAPID_SUBJECT: subject })).length === 0).toBe(taken);
  });

  it('come from .env beneath the environment', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadside-env-'));
    const file = join(folder, '.env');
    await writeFile(file, 'API_PORT=1\nAPI_HOST="0.0.0.0" # everywhere\n');
    expect(withDotEnv({ API_PORT: '2' }, file)).toEqual({ API_PORT: '2', API_HOST: '0.0.0.0' });
    expect(withDotEnv({ API_PORT: '2' }, join(folder, 'missing'))).toEqual({ API_PORT: '2' });
    await rm(folder, { recursive: true });
  });

  it('are each described', () => {
    for (const setting of [...describeSettings(apiSettings), ...describeSettings(engineSettings)]) {
      expect([setting.env, setting.description]).toEqual([
        expect.stringMatching(/^[A-Z][A-Z0-9_]+$/),
        expect.stringMatching(/\w.*\.$/),
      ]);
    }
  });
});
