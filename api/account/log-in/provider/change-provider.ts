import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { lockOrganization } from '../../../auth/locks.ts';
import {
  deleteProvider,
  endProviderSessions,
  findProviderOf,
  forgetIdentities,
  type ProviderValues,
  type StoredProvider,
  writeDomains,
  writeProvider,
} from './store.ts';

export interface ProviderChange extends Omit<ProviderValues, 'clientSecret'> {
  readonly organizationId: OrganizationId;
  readonly actor: Actor;
  /** Null: it stays. */
  readonly clientSecret: string | null;
  /** Null: they stay. */
  readonly emailDomains: readonly string[] | null;
}

/**
 * Another issuer or client is another provider: it does not get the secret of the one before, its people are not those
 * of before, and sessions that the one before began end.
 * @returns the errors of its fields; null where it is written.
 */
export function changeProvider(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  change: ProviderChange,
): Promise<FieldErrors | null> {
  return database
    .transaction(async (sql) => {
      const { organizationId } = change;
      await lockOrganization(sql, organizationId);
      const before = await findProviderOf(sql, sealer, organizationId);
      const isOther = before?.issuer !== change.issuer || before.clientId !== change.clientId;
      const clientSecret = change.clientSecret ?? (isOther ? null : (before?.clientSecret ?? null));
      if (clientSecret === null)
        throw new Refused('client_secret', 'is required for another issuer or client');
      const id = await writeProvider(sql, sealer, organizationId, { ...change, clientSecret });
      if (change.emailDomains !== null && !(await writeDomains(sql, id, change.emailDomains)))
        throw new Refused('email_domains', 'holds a domain of another organization’s provider');
      if (before !== null) await endWhatWas(sql, before, isOther, change.enabled);
      await noteChange(sql, change.actor, {
        action: 'provider.changed',
        subjectId: organizationId,
        detail: detailOf(change),
      });
      return null;
    })
    .catch((error: unknown) => {
      if (error instanceof Refused) return error.errors;
      throw error;
    });
}

/** Undoes what its transaction wrote. */
class Refused extends Error {
  readonly errors: FieldErrors;
  constructor(field: string, words: string) {
    super(`${field} ${words}`);
    this.errors = { [field]: [`The ${field} field ${words}.`] };
  }
}

async function endWhatWas(
  sql: Sql,
  { id }: StoredProvider,
  isOther: boolean,
  enabled: boolean,
): Promise<void> {
  if (isOther) await forgetIdentities(sql, id);
  if (isOther || !enabled) await endProviderSessions(sql, id);
}

const detailOf = (change: ProviderChange) => ({
  name: change.name,
  issuer: change.issuer,
  enabled: change.enabled,
  makes_users: change.makesUsers,
  ...(change.clientSecret === null ? {} : { secret: 'changed' }),
  ...(change.emailDomains === null ? {} : { email_domains: change.emailDomains.slice(0, 10) }),
});

export const removeProvider = (
  database: Database,
  organizationId: OrganizationId,
  actor: Actor,
): Promise<void> =>
  database.transaction(async (sql) => {
    await lockOrganization(sql, organizationId);
    const name = await deleteProvider(sql, organizationId);
    if (name === null) return;
    await noteChange(sql, actor, {
      action: 'provider.removed',
      subjectId: organizationId,
      detail: { name },
    });
  });
