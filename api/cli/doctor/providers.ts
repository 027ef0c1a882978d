import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { createSealer, type MasterKeys } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Environment } from '../../../engine/contract/settings/settings.ts';
import { createPublicAddresses } from '../../../engine/network/public-addresses.ts';
import { openidPartsOf } from '../../account/log-in/provider/guarded-fetch.ts';
import { installationProvider, type Provider } from '../../account/log-in/provider/provider.ts';
import { listEnabledProviders } from '../../account/log-in/provider/store.ts';
import { tryProvider } from '../../account/log-in/provider/try-provider.ts';
import { redirectUriBelow } from '../../account/log-in/provider/uris.ts';
import { apiSettings } from '../../settings/config.ts';
import { providerSettings } from '../../settings/provider.ts';
import { type Found, ok, problem, skipped } from './finding.ts';
import { settingsOf } from './surroundings.ts';

/** Organizations whose provider is asked. */
const MAX_PROVIDERS = 20;

/** Whether people can log in by the installation's provider and those of organizations. Nobody is logged in. */
export async function checkProviders(
  environment: Environment,
  database: Database | null,
  keys: MasterKeys | null,
): Promise<Found[]> {
  const config = settingsOf(providerSettings, environment);
  if (config === null) return [skipped('its settings are wrong', 'Fix the settings first.')];
  const installation = installationProvider(config);
  const own =
    database === null || keys === null
      ? []
      : await listEnabledProviders(database, createSealer(keys.current, keys.old), MAX_PROVIDERS);
  const all = installation === null ? own : [installation, ...own];
  if (all.length === 0) return [skipped('no OpenID provider is set')];
  const { publicBaseUrl } = apiSettings;
  const base = settingsOf({ publicBaseUrl }, environment)?.publicBaseUrl ?? null;
  const parts = openidPartsOf(createPublicAddresses(), config);
  return Promise.all(all.map((provider) => judge(provider, parts, base)));
}

async function judge(
  provider: Provider,
  parts: ReturnType<typeof openidPartsOf>,
  base: string | null,
): Promise<Found> {
  const whose = provider.organizationId === null ? 'OIDC_ISSUER' : `organization ${provider.organizationId}`;
  const redirectUri = redirectUriBelow(base ?? 'http://127.0.0.1:8080', provider.organizationId);
  const faults = await tryProvider(provider, parts, redirectUri);
  // Without a base URL, the redirect URI is as each request names it: there is none to try.
  const [first] = base === null ? faults.filter(({ code }) => code !== 'redirect-uri') : faults;
  if (first === undefined) return ok(`the OpenID provider ${provider.issuer} (${whose}) lets people log in`);
  const text = `nobody can log in by the OpenID provider ${provider.issuer} (${whose}): ${first.code}`;
  return problem(text, first.message);
}
