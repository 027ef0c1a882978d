import { knownPushHosts } from './push-service.ts';
import { choice, flag, list, text } from './settings.ts';

/** Settings that more than one role reads, defined once. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const databaseSettings = {
  databaseUrl: text('DATABASE_URL', 'The Postgres (15 or newer) that holds what must be right.', {
    pattern: '^postgres(ql)?://.+',
    shape: 'a URL such as postgres://user:password@host:5432/broadside',
    secret: true,
  }),
} as const;

export const sharedSettings = {
  ...databaseSettings,
  masterKey: text(
    'MASTER_KEY',
    'Seals the private keys of apps; 32 random bytes in base64: openssl rand -base64 32.',
    {
      pattern: '^[A-Za-z0-9+/_-]{43}=?$',
      shape: '32 bytes in base64, as "openssl rand -base64 32" prints them',
      secret: true,
    },
  ),
  pushServiceHosts: list(
    'PUSH_SERVICE_HOSTS',
    'Hosts of push services that endpoints may name, subdomains included, separated by commas.',
    knownPushHosts,
  ),
  allowAnyPushHost: flag(
    'ALLOW_ANY_PUSH_HOST',
    'Tests and demo only: accept endpoints on any host, loopback included.',
  ),
  logLevel: choice('LOG_LEVEL', 'How much is logged.', logLevels, 'info'),
} as const;
