import type {
  CampaignMove,
  CampaignPart,
  DueCampaign,
  LocalTimePlan,
  QuietHoursPlan,
} from '../../contract/campaign.ts';
import { timeZones } from '../../contract/time-zone.ts';
import { instantsOf, quietUntil } from './local-time.ts';

/** Zones whose readers are served at the same instant. */
export interface ZonesAt {
  readonly at: Date;
  readonly zones: readonly string[];
}

/** A clock of the database may be set back by less; a reader who changed zones before is in that zone's delivery. */
const MOVED_BEFORE_MS = 600_000;

type ZonedPlan = LocalTimePlan | QuietHoursPlan;

/** Every zone once, by the instant at which its readers are served, earliest first. */
export function instantsOfPlan(plan: ZonedPlan): readonly ZonesAt[] {
  if (plan.kind === 'local_time') {
    const { at, ifPassed, createdAt } = plan;
    const all = instantsOf(timeZones, at);
    return ifPassed === 'send' ? all : all.filter((each) => each.at.getTime() >= Date.parse(createdAt));
  }
  const at = new Date(plan.at);
  const byInstant = Map.groupBy(timeZones, (zone) => (quietUntil(zone, at, plan) ?? at).getTime());
  const untilMs = plan.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(plan.until);
  return [...byInstant]
    .filter(([instantMs]) => instantMs < untilMs || instantMs === at.getTime())
    .sort(([a], [b]) => a - b)
    .map(([instantMs, zones]) => ({ at: new Date(instantMs), zones }));
}

/** When the first readers are served. Null: it has passed everywhere, for a plan that skips those. */
export function firstStepOfZones(plan: ZonedPlan, now: Date): Date | null {
  const first = instantsOfPlan(plan)[0];
  return first === undefined ? null : new Date(Math.max(first.at.getTime(), now.getTime()));
}

/**
 * What is due: one delivery for all zones whose instant has come and that are not served yet. After an outage these may
 * be several instants at once.
 *
 * Readers travel, also while a delivery is on its way. Whoever changed zones since the first instant is in every delivery
 * that checks them once the time of their zone has come; the first one takes them away from the others. Every instant
 * is a step, so that the last traveller finds one.
 */
export function stepOfZones(
  { id, now, progress }: Pick<DueCampaign, 'id' | 'now' | 'progress'>,
  plan: ZonedPlan,
): { readonly part: CampaignPart | null; readonly move: CampaignMove } {
  const instants = instantsOfPlan(plan);
  const servedMs = progress.servedUntil === undefined ? -Infinity : Date.parse(progress.servedUntil);
  const atMs = (each: ZonesAt): number => each.at.getTime();
  const due = instants.filter((each) => atMs(each) > servedMs && atMs(each) <= now.getTime());
  const last = due.at(-1);
  const next = instants.find((each) => atMs(each) > Math.max(servedMs, now.getTime()));
  const rest = {
    runs: [],
    status: next === undefined ? 'completed' : 'running',
    nextAt: next?.at ?? null,
  } as const;
  const [first] = instants;
  if (last === undefined || first === undefined)
    return { part: null, move: { ...rest, deliveries: [], progress } };
  const zones = due.flatMap((each) => each.zones);
  const since = new Date(first.at.getTime() - MOVED_BEFORE_MS).toISOString();
  const moved = { since, instants: instantsForMoved(instants, last.at) };
  const part: CampaignPart = { kind: 'zones', campaign_id: id, zones, zone: plan.zone, moved };
  const servedUntil = last.at.toISOString();
  const delivery = { role: `zones ${servedUntil}`, content: 0, part };
  return { part, move: { ...rest, deliveries: [delivery], progress: { ...progress, servedUntil } } };
}

/**
 * Zones whose time has come with this delivery are due whatever a clock says later. Those that are skipped are, too: a
 * reader who was not there when it was their time is not skipped.
 */
function instantsForMoved(instants: readonly ZonesAt[], until: Date): { at: string; zones: string[] }[] {
  const coming = instants.filter(({ at }) => at > until);
  const later = new Set(coming.flatMap(({ zones }) => zones));
  return [
    { at: new Date(0).toISOString(), zones: timeZones.filter((zone) => !later.has(zone)) },
    ...coming.map(({ at, zones }) => ({ at: at.toISOString(), zones: [...zones] })),
  ];
}
