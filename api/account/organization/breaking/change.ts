import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import {
  type BreakingRules,
  lockBreaking,
  readBreaking,
  writeBreakingRules,
} from '../../../auth/breaking.ts';

/** With its note; absent fields keep their value. @returns the rules, and whether they changed. */
export const changeBreaking = (
  database: Database,
  actor: Actor,
  wanted: { readonly [Name in keyof BreakingRules]?: BreakingRules[Name] | undefined },
): Promise<{ readonly rules: BreakingRules; readonly changed: boolean }> =>
  database.transaction(async (sql) => {
    const { organizationId } = actor;
    await lockBreaking(sql, organizationId);
    const { role, per_day } = await readBreaking(sql, organizationId, null);
    const rules: BreakingRules = {
      role: wanted.role ?? role,
      per_day: wanted.per_day === undefined ? per_day : wanted.per_day,
    };
    const changed = rules.role !== role || rules.per_day !== per_day;
    if (!changed) return { rules, changed };
    await writeBreakingRules(sql, organizationId, rules);
    await noteChange(sql, actor, {
      action: 'organization.breaking-changed',
      subjectId: organizationId,
      detail: { role: rules.role, per_day: rules.per_day, was: { role, per_day } },
    });
    return { rules, changed };
  });
