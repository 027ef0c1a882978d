import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createSealer, type Sealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import type { PublicAddresses } from '../../engine/network/public-addresses.ts';
import { createDeviceCookie, type DeviceCookie } from '../auth/device-cookie.ts';
import { createPasswords, type Passwords } from '../auth/passwords.ts';
import {
  type CookieJar,
  createCookieJar,
  createSessionCookie,
  type SessionCookie,
} from '../auth/session-cookie.ts';
import type { Using } from '../ports/deps.ts';
import type { Reads } from '../reads/reads.ts';
import { createEmails, type Emails } from './emails/write-email.ts';
import { createLogInLimits, type LogInLimits } from './log-in/password/log-in.ts';
import { openidPartsOf } from './log-in/provider/guarded-fetch.ts';
import { createOpenid, type Openid, type OpenidParts } from './log-in/provider/openid.ts';
import { installationProvider, type Provider } from './log-in/provider/provider.ts';

/** Dependencies that account routes share. */
export interface AccountParts {
  readonly database: Database;
  readonly reads: Reads;
  readonly passwords: Passwords;
  readonly logInLimits: LogInLimits;
  readonly cookie: SessionCookie;
  readonly devices: DeviceCookie;
  /** Of a log-in whose code is missing. */
  readonly halfCookie: CookieJar;
  /** Of a log-in by a passkey alone. */
  readonly passkeyCookie: CookieJar;
  /** Of a log-in that went to a provider. */
  readonly providerCookie: CookieJar;
  readonly openid: Openid;
  readonly providerFetch: OpenidParts;
  /** The provider of the settings; null: they name none. */
  readonly installation: Provider | null;
  readonly publicBaseUrl: string | null;
  /** Breaking deliveries of each organization a day; null: no limit. */
  readonly breakingPerDay: number | null;
  readonly sealer: Sealer;
  readonly publicAddresses: PublicAddresses;
  /** SMTP_URL and MAIL_FROM are set. */
  readonly mails: boolean;
  /** Null: none is sent, and links are shown instead. */
  readonly emails: Emails | null;
}

export function createAccountParts({
  database,
  config,
  reads,
  masterKey,
  oldMasterKeys = [],
  publicAddresses,
}: Using<'database' | 'config' | 'reads' | 'masterKey' | 'oldMasterKeys' | 'publicAddresses'>): AccountParts {
  const sealer = createSealer(masterKey, oldMasterKeys);
  const installation = installationProvider(config);
  const providerFetch = openidPartsOf(publicAddresses, config);
  return {
    passkeyCookie: createCookieJar('broadside_passkey', config.publicBaseUrl),
    providerCookie: createCookieJar('broadside_provider', config.publicBaseUrl, 'lax'),
    openid: createOpenid(providerFetch),
    providerFetch,
    installation,
    database,
    reads,
    passwords: createPasswords(),
    logInLimits: createLogInLimits(),
    cookie: createSessionCookie(config.publicBaseUrl),
    halfCookie: createCookieJar('broadside_log_in', config.publicBaseUrl),
    devices: createDeviceCookie(createCookieJar('broadside_device', config.publicBaseUrl), [
      masterKey,
      ...oldMasterKeys,
    ]),
    publicBaseUrl: config.publicBaseUrl,
    breakingPerDay: config.breakingPerDay,
    sealer,
    publicAddresses,
    mails: config.smtpUrl !== null && config.mailFrom !== null,
    emails: createEmails(config, sealer),
  };
}
