import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { createSealer, type MasterKeys } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { isVapidSubject } from '../../../engine/contract/vapid-subject.ts';
import { countSealed } from '../master-key/reseal.ts';
import { type Found, ok, problem, skipped, warning } from './finding.ts';

/** Apps that are named in one line. */
const MAX_NAMED = 10;
/** Apps that are checked. */
const MAX_APPS = 10_000;

/** The contact that push services get with each message. */
export async function checkSubjects(database: Database, subject: string | null): Promise<Found> {
  if (subject !== null) {
    if (isVapidSubject(subject)) return ok(`push services get ${subject} as the contact`);
    const mend = 'Set it to a mailto: or https: URL on a public domain, such as mailto:push@example.com.';
    return problem('VAPID_SUBJECT is not a contact: push services reject messages that carry it', mend);
  }
  const apps = await database.query<{ identifier: string; site: string }>(
    `SELECT identifier, site_domain AS site FROM apps WHERE deleted_at IS NULL ORDER BY id LIMIT $1`,
    [MAX_APPS],
  );
  const without = apps.filter(({ site }) => !isVapidSubject(site)).map(({ identifier }) => identifier);
  if (without.length === 0)
    return ok('VAPID_SUBJECT is not set: push services get each app’s site as the contact');
  const named = without.slice(0, MAX_NAMED).join(', ');
  const more = without.length > MAX_NAMED ? ` and ${without.length - MAX_NAMED} more` : '';
  return warning(
    `apps whose site is not a contact, so that nothing is sent for them except from your own desk: ${named}${more}`,
    'Set VAPID_SUBJECT, such as mailto:push@example.com, and restart the engines and the API.',
  );
}

/** Whether the available master keys open what is sealed: an app whose key does not open cannot send. */
export async function checkKeys(database: Database, keys: MasterKeys | null): Promise<Found> {
  if (keys === null) return skipped('the master key is not available, so no sealed key was checked');
  const headers = [keys.current, ...keys.old].map((key) => createSealer(key).currentHeader.toString('hex'));
  const sealed = await countSealed(database);
  const sum = (rows: typeof sealed): number => rows.reduce((all, { values }) => all + values, 0);
  const unknown = sealed.filter(({ header }) => isNamed(header) && !headers.includes(header.toString('hex')));
  const total = sum(sealed);
  if (unknown.length === 0) return ok(`the master key opens all ${total} sealed keys and secrets`);
  return problem(
    `${sum(unknown)} of ${total} sealed keys and secrets are under another master key`,
    'Set MASTER_KEY to the one that sealed them, or add it to MASTER_KEYS_OLD: "broadside master-key status" names them.',
  );
}

/** Values of before keys had ids begin with anything; each key is tried on them. */
const isNamed = (header: Buffer): boolean => header.toString('latin1', 0, 4) === 'BSK1';
