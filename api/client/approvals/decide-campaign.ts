import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AudienceRules } from '../../../engine/contract/audience.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import type { StoredApp } from '../apps/store.ts';
import { findCampaign, lockCampaign, type StoredCampaign } from '../campaigns/store.ts';
import { rulesNow, segmentDetail } from '../segments/store.ts';
import { whyNotDecided } from './may-decide.ts';
import type { DecisionBody } from './schema.ts';
import { lockApproval, noteDecision } from './store.ts';

/** All of its deliveries go to whom its approver saw: its variants and their winner, its zones, its firings. */
const startApproved = (sql: Sql, id: number, firstStepAt: Date | null, rules: AudienceRules | null) =>
  sql.query(
    `UPDATE campaigns SET next_step_at = coalesce($2, now()), settings = jsonb_set(settings, '{options,approvedRules}', $3),
       step = step + 1, updated_at = now() WHERE id = $1`,
    [id, firstStepAt, JSON.stringify(rules)],
  );

export interface CampaignOrder {
  readonly app: StoredApp;
  readonly id: number;
  readonly actor: Actor;
  readonly body: DecisionBody;
}

export type CampaignDecided =
  | { readonly kind: 'decided'; readonly campaign: StoredCampaign }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'missing' };

/** Gives a campaign that waits for a second person its first step, or sends it back. */
export const createDecideCampaign =
  (database: Database) =>
  (order: CampaignOrder): Promise<CampaignDecided> =>
    database.transaction((sql) => decideIn(sql, order));

async function decideIn(sql: Sql, { app, id, actor, body }: CampaignOrder): Promise<CampaignDecided> {
  const before = await lockCampaign(sql, app.id, id);
  if (before === null) return { kind: 'missing' };
  const subject = { campaign: id };
  const approval = await lockApproval(sql, subject);
  const errors = await whyNotDecided(sql, approval, body, actor, app, before.step);
  if (errors !== null) return { kind: 'refused', errors };
  if (before.status !== 'scheduled')
    return {
      kind: 'refused',
      errors: { status: [`The campaign is ${before.status}: it does not wait for approval.`] },
    };
  const { note = null } = body;
  const state = body.decision === 'approve' ? 'approved' : 'declined';
  // A step that is due is taken now; a firing that is too late by its own rule is left out by it.
  if (state === 'approved') {
    const rules = await rulesNow(sql, app.id, before.settings.options.segmentId);
    await startApproved(sql, id, approval?.first_step_at ?? null, rules);
  }
  await noteDecision(sql, subject, actor, { state, note });
  const { segmentId } = before.settings.options;
  const detail = { name: before.name, ...(await segmentDetail(sql, app.id, segmentId)) };
  await noteChange(sql, actor, { action: `campaign.${state}`, subjectId: id, appId: app.id, detail });
  const campaign = await findCampaign(sql, app.id, id);
  if (campaign === null) throw new Error('the campaign just decided is not there');
  return { kind: 'decided', campaign };
}
