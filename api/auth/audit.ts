import type { FastifyRequest } from 'fastify';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { AppId, OrganizationId, UserId } from '../../engine/contract/ids.ts';
import { callerOf } from './caller.ts';

/** Everything that can be changed, as `<subject>.<verb>`. */
export const auditActions = [
  'app.created',
  'app.updated',
  'app.deleted',
  'app.exported',
  'app.imported',
  'prompts.updated',
  'welcome.updated',
  'vapid-key.rotated',
  'vapid-key.ended',
  'vapid-key.adopted',
  'subscription.deleted',
  'subscription.tagged',
  'subscription.pruned',
  'person.exported',
  'person.erased',
  'delivery.created',
  'delivery.passed-quiet-hours',
  'delivery.changed',
  'delivery.cancelled',
  'delivery.corrected',
  'delivery.approved',
  'delivery.declined',
  'campaign.created',
  'campaign.updated',
  'campaign.approved',
  'campaign.declined',
  'campaign.decided',
  'campaign.cancelled',
  'campaign.item-approved',
  'campaign.item-dismissed',
  'delivery.tested',
  'test-browser.added',
  'test-browser.renamed',
  'test-browser.removed',
  'draft.created',
  'draft.deleted',
  'segment.created',
  'segment.updated',
  'segment.deleted',
  'delivery-category.created',
  'delivery-category.updated',
  'delivery-category.deleted',
  'user.logged-in',
  'user.log-in-failed',
  'user.logged-out',
  'user.session-ended',
  'user.second-factor-added',
  'user.second-factor-removed',
  'user.second-factor-reset',
  'user.second-factor-failed',
  'user.recovery-codes-renewed',
  'user.passkey-added',
  'user.passkey-renamed',
  'user.passkey-removed',
  'user.passkey-stopped',
  'user.provider-linked',
  'user.provider-unlinked',
  'user.renamed',
  'user.password-changed',
  'user.password-reset-asked',
  'user.password-reset',
  'user.role-changed',
  'user.grants-changed',
  'user.created',
  'user.removed',
  'token.created',
  'token.revoked',
  'report-token.issued',
  'report-token.revoked',
  'invitation.created',
  'invitation.revoked',
  'invitation.accepted',
  'organization.created',
  'organization.renamed',
  'organization.breaking-changed',
  'organization.second-factor-changed',
  'provider.changed',
  'provider.removed',
  'provider.log-in-refused',
  'alert-channel.created',
  'alert-channel.updated',
  'alert-channel.deleted',
  'alert-channel.tested',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  'webhook.pinged',
  'webhook.replayed',
  'revenue.granted',
  'revenue.revoked',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The author of a change. */
export interface Actor {
  readonly organizationId: OrganizationId;
  readonly userId: UserId | null;
  readonly tokenId: number | null;
  readonly via: 'token' | 'session' | 'command' | 'service';
  readonly requestId: string | null;
}

export interface Change {
  readonly action: AuditAction;
  /** The subject as people name it: an app's identifier, a delivery's or a token's id. */
  readonly subjectId: string | number;
  readonly appId?: AppId;
  /** Few and short values that a reader needs; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** In the transaction of the change itself: one is never there without the other. */
export async function noteChange(sql: Sql, actor: Actor, change: Change): Promise<void> {
  await sql.query(
    `INSERT INTO audit_log (organization_id, user_id, user_email, token_id, via, action, subject_id, app_id, detail, request_id)
     VALUES ($1, $2, (SELECT email FROM users WHERE id = $2), $3, $4, $5, $6, $7, $8, $9)`,
    [
      actor.organizationId,
      actor.userId,
      actor.tokenId,
      actor.via,
      change.action,
      String(change.subjectId),
      change.appId ?? null,
      JSON.stringify(change.detail ?? {}),
      actor.requestId,
    ],
  );
}

export function actorOf(request: FastifyRequest): Actor {
  const { organizationId, userId, tokenId, via } = callerOf(request);
  return { organizationId, userId, tokenId, via, requestId: request.id };
}

/** The person who runs the command line. */
export const commandActor = (organizationId: OrganizationId): Actor => ({
  organizationId,
  userId: null,
  tokenId: null,
  via: 'command',
  requestId: null,
});
