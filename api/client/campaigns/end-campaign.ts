import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { AppRole } from '../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { whyNotByAuthor } from '../approvals/may-write.ts';
import { cancelIn } from '../deliveries/cancel/cancel-delivery.ts';
import {
  findCampaign,
  isOver,
  lockCampaign,
  markCancelled,
  noteDecision,
  type StoredCampaign,
} from './store.ts';

export type CampaignEnded =
  | { readonly kind: 'done'; readonly campaign: StoredCampaign }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'missing' };

const refused = (field: string, words: string): CampaignEnded => ({
  kind: 'refused',
  errors: { [field]: [words] },
});

/** Cancels a campaign as a whole, or names its winner by hand: each under the row's lock, so no step comes between. */
export function createEndCampaign(database: Database) {
  return {
    /** @param role the actor's, on the app: an author cancels what they wrote until somebody approves it. */
    cancel: (actor: Actor, role: AppRole, appId: AppId, id: number): Promise<CampaignEnded> =>
      database.transaction(async (sql): Promise<CampaignEnded> => {
        const locked = await lockCampaign(sql, appId, id);
        if (locked === null) return { kind: 'missing' };
        const errors = await whyNotByAuthor(sql, { role, actor }, { campaign: id }, 'cancels');
        if (errors !== null) return { kind: 'refused', errors };
        if (await isOver(sql, id))
          return refused(
            'status',
            'The campaign and its deliveries have ended and can no longer be cancelled.',
          );
        // In the order of their ids, as every cancel of several does.
        for (const delivery of await markCancelled(sql, id)) await cancelIn(sql, actor, appId, delivery);
        const detail = { name: locked.name };
        await noteChange(sql, actor, { action: 'campaign.cancelled', subjectId: id, appId, detail });
        const campaign = await findCampaign(sql, appId, id);
        return campaign === null ? { kind: 'missing' } : { kind: 'done', campaign };
      }),

    /** @param variant its number, from 1. */
    decide: (actor: Actor, appId: AppId, id: number, variant: number): Promise<CampaignEnded> =>
      database.transaction(async (sql): Promise<CampaignEnded> => {
        const locked = await lockCampaign(sql, appId, id);
        if (locked === null) return { kind: 'missing' };
        const { status, settings, progress, name } = locked;
        if (settings.plan.kind !== 'ab_test')
          return refused('kind', 'Only a test has variants that can win.');
        if (variant > settings.contents.length)
          return refused('variant', `The variant field must not be more than ${settings.contents.length}.`);
        const isOpen = status === 'deciding' || status === 'running';
        if (!isOpen || progress.testedAt === undefined || progress.decision !== undefined)
          return refused('status', whyNot(status));
        const at = new Date().toISOString();
        const decision = {
          by: 'hand',
          at,
          winner: variant - 1,
          sent: variant - 1,
          reason: 'by-hand',
          counts: null,
        } as const;
        await noteDecision(sql, id, { ...progress, decision });
        const detail = { name, variant };
        await noteChange(sql, actor, { action: 'campaign.decided', subjectId: id, appId, detail });
        const campaign = await findCampaign(sql, appId, id);
        return campaign === null ? { kind: 'missing' } : { kind: 'done', campaign };
      }),
  };
}

function whyNot(status: StoredCampaign['status']): string {
  if (status === 'scheduled') return 'The test has not started yet.';
  return status === 'cancelled' ? 'The campaign is cancelled.' : 'The test is already decided.';
}
