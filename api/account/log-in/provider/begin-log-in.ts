import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import { insertProviderLogIn } from './log-in-store.ts';
import { type Asked, logInKeysOf, type Openid } from './openid.ts';
import { INSTALLATION_KEY, type Provider } from './provider.ts';
import { findProviderById, findProviderByKey } from './store.ts';

export interface ProviderParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly openid: Openid;
  /** Null: the settings name none. */
  readonly installation: Provider | null;
}

export interface ProviderStart {
  readonly key: string;
  /** The page to go on with. */
  readonly back: string;
  readonly redirectUriOf: (provider: Provider) => string;
}

export type Started =
  | { readonly kind: 'to'; readonly url: string; readonly secret: string }
  | { readonly kind: 'unknown' }
  | Exclude<Asked<never>, { kind: 'answered' }>;

export const findProvider = async (
  { database, sealer, installation }: ProviderParts,
  key: string,
): Promise<Provider | null> =>
  key === INSTALLATION_KEY ? installation : findProviderByKey(database, sealer, key);

export const providerOfLogIn = async (
  { database, sealer, installation }: ProviderParts,
  id: number | null,
): Promise<Provider | null> => (id === null ? installation : findProviderById(database, sealer, id));

/** The provider is asked first: one that is unavailable leaves no row, and the person stays on our page. */
export async function beginProviderLogIn(parts: ProviderParts, start: ProviderStart): Promise<Started> {
  const provider = await findProvider(parts, start.key);
  if (provider === null) return { kind: 'unknown' };
  const secret = newSecret();
  const begun = await parts.openid.begin(provider, start.redirectUriOf(provider), logInKeysOf(secret));
  if (begun.kind !== 'answered') return begun;
  const { id: providerId, issuer } = provider;
  await insertProviderLogIn(parts.database, secret, { providerId, issuer, back: start.back });
  return { kind: 'to', url: begun.value.href, secret };
}
