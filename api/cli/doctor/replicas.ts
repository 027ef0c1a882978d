import { createDatabase, type Database } from '../../../engine/adapters/postgres/database.ts';
import {
  examineReplica,
  type ReplicaExamined,
} from '../../../engine/adapters/postgres/dispatch/read-replicas.ts';
import { databaseTlsSettings, withDatabaseTls } from '../../../engine/contract/settings/postgres-url.ts';
import type { Environment } from '../../../engine/contract/settings/settings.ts';
import { type Found, ok, reasonOf, warning } from './finding.ts';
import { settingsOf } from './surroundings.ts';

const ANSWER_MS = 3_000;
const LEFT_OUT = 'Until then targets are read from the primary.';

/** Those of `DATABASE_READ_URLS`, in their order, as an engine would judge them. The settings’ own check names what is not a URL. */
export async function checkReplicas(
  urls: readonly string[],
  environment: Environment,
  primary: Database,
): Promise<Found[]> {
  const tls = settingsOf(databaseTlsSettings, environment) ?? {};
  const named = urls.filter((url) => /^postgres(ql)?:/.test(url) && URL.canParse(url));
  return Promise.all(named.map((url) => checkReplica(withDatabaseTls(url, tls), primary)));
}

async function checkReplica(url: string, primary: Database): Promise<Found> {
  const { hostname, port } = new URL(url);
  const name = `the replica ${hostname}:${port || 5432}`;
  const replica = createDatabase({
    ...{ url, applicationName: 'broadside-doctor', maxConnections: 1 },
    ...{ connectTimeoutMs: ANSWER_MS, statementTimeoutMs: ANSWER_MS },
  });
  try {
    return judgeReplica(name, await examineReplica(primary, replica));
  } catch (error) {
    return warning(
      `${name} does not answer: ${reasonOf(error)}`,
      `Check the server and DATABASE_READ_URLS. ${LEFT_OUT}`,
    );
  } finally {
    await replica.close();
  }
}

function judgeReplica(name: string, found: ReplicaExamined): Found {
  if (!found.isSame)
    return warning(
      `${name} is of another cluster or database than DATABASE_URL`,
      `Let DATABASE_READ_URLS name streaming replicas of DATABASE_URL, and the same database. ${LEFT_OUT}`,
    );
  if (!found.isStandby)
    return warning(
      `${name} takes writes: it is a primary`,
      `Let DATABASE_READ_URLS name streaming replicas. ${LEFT_OUT}`,
    );
  if (!found.isFollowing)
    return warning(
      `${name} receives nothing from the primary`,
      `Check its primary_conninfo and its log. ${LEFT_OUT}`,
    );
  if (!found.isUpToDate)
    return warning(
      `${name} is more than two seconds behind the primary`,
      `Check its load, its disk, and recovery_min_apply_delay. ${LEFT_OUT}`,
    );
  if (!found.mayReadTargets)
    return warning(
      `${name} gives its account no right to read`,
      `GRANT SELECT ON subscriptions to it. ${LEFT_OUT}`,
    );
  return ok(`${name} is up to date`);
}
