import { type ApprovalRule, isLeftToOthers } from '../data/approvals/left-to-others.ts';
import type { Campaign } from '../data/campaigns/resource.ts';
import { isHeld as isCampaignHeld, isOpen } from '../data/campaigns/status.ts';
import type { ListedDelivery } from '../data/deliveries/resource.ts';
import { isActive, isHeld, isTroubled } from '../data/deliveries/status.ts';
import type { Draft } from '../data/drafts/resource.ts';

/** Something that does not fix itself. */
export type Need =
  | { readonly kind: 'failed' | 'troubled' | 'stuck' | 'held'; readonly delivery: ListedDelivery }
  | { readonly kind: 'service'; readonly service: ServiceTotal['push_service']; readonly failed: number }
  | { readonly kind: 'throttled'; readonly service: ServiceTotal['push_service']; readonly times: number }
  | { readonly kind: 'handed'; readonly draft: Draft }
  | { readonly kind: 'decide' | 'unreadable' | 'drafts' | 'held'; readonly campaign: Campaign };

interface ServiceTotal {
  readonly push_service: 'fcm' | 'mozilla' | 'wns' | 'apple' | 'other';
  readonly sent: number;
  readonly failed: number;
  readonly throttled: number;
}

const DAY_MS = 86_400_000;
const RECENT_MS = 2 * DAY_MS;
/** A delivery at full speed is over in minutes; a paced one may take as long as its pace asks. */
const LONG_MS = 30 * 60_000;
const MIN_SENT = 20;
/** Beside readers who leave, a push service that works refuses next to nothing. */
const REFUSED_SHARE = 0.2;

/** What somebody should check today, most pressing first. */
export function needsOf(
  deliveries: readonly ListedDelivery[],
  services: readonly ServiceTotal[],
  nowMs: number,
): readonly Need[] {
  const recent = deliveries.filter(
    ({ created_at, rehearsal }) => !rehearsal && nowMs - Date.parse(created_at) < RECENT_MS,
  );
  const stuck = deliveries.filter(
    (each) =>
      isActive(each) &&
      !isHeld(each) &&
      each.rate_per_minute === null &&
      nowMs - Date.parse(each.started_at ?? each.queued_at ?? each.created_at) > LONG_MS,
  );
  return [
    ...stuck.map((delivery): Need => ({ kind: 'stuck', delivery })),
    ...recent
      .filter(({ status }) => status === 'failed')
      .map((delivery): Need => ({ kind: 'failed', delivery })),
    ...services
      .filter(({ sent, failed }) => sent >= MIN_SENT && failed > sent * REFUSED_SHARE)
      .map(({ push_service: service, failed }): Need => ({ kind: 'service', service, failed })),
    ...services
      .filter(({ throttled }) => throttled > 0)
      .map(({ push_service: service, throttled: times }): Need => ({ kind: 'throttled', service, times })),
    ...deliveries.filter(isHeld).map((delivery): Need => ({ kind: 'held', delivery })),
    ...recent.filter(isTroubled).map((delivery): Need => ({ kind: 'troubled', delivery })),
  ];
}

export interface Viewer {
  readonly email: string;
  /** Has the role for it on the app. */
  readonly approves: boolean;
  readonly rule: ApprovalRule;
}

/**
 * What waits for approval is for whoever may approve it, and what was declined is its author's again: of a token's, which
 * has none, everybody's.
 */
export function isFor({ email, approves, rule }: Viewer, need: Need): boolean {
  if (need.kind !== 'held') return true;
  const { approval } = 'delivery' in need ? need.delivery : need.campaign;
  const { state, authors = [] } = approval ?? {};
  if (state === 'declined') return authors.length === 0 || authors.includes(email);
  return approves && !isLeftToOthers(rule, authors, email);
}

/** Drafts that a colleague has handed over. @param email the viewer's. */
export const draftNeedsOf = (drafts: readonly Draft[], email: string): readonly Need[] =>
  drafts
    .filter(({ assignee }) => assignee?.email === email)
    .map((draft): Need => ({ kind: 'handed', draft }));

/** Campaigns that wait for somebody: a test for its winner, a feed for an editor or for its server. */
export function campaignNeedsOf(campaigns: readonly Campaign[]): readonly Need[] {
  return campaigns.flatMap((campaign): Need[] => {
    if (campaign.status === 'deciding') return [{ kind: 'decide', campaign }];
    if (isCampaignHeld(campaign)) return [{ kind: 'held', campaign }];
    if (campaign.kind !== 'feed' || !isOpen(campaign)) return [];
    return [
      ...(campaign.error_message === null ? [] : [{ kind: 'unreadable', campaign } as const]),
      ...((campaign.feed?.drafts ?? 0) === 0 ? [] : [{ kind: 'drafts', campaign } as const]),
    ];
  });
}
