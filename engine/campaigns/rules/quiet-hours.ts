import {
  type CampaignDelivery,
  type CampaignMove,
  contentOf,
  type DueCampaign,
  type QuietHoursPlan,
  type QuietHoursSetting,
} from '../../contract/campaign.ts';
import { quietUntil } from './local-time.ts';
import { firstStepOfZones } from './zoned.ts';

export interface QuietApp {
  readonly quiet_hours: QuietHoursSetting | null;
  readonly time_zone: string;
}

/** `drop`: who is in quiet hours gets nothing. */
export type QuietChoice = 'wait' | 'drop';

/** What quiet hours make of a message. */
export type QuietWay =
  /** Nobody is in them. */
  | { readonly kind: 'as-is' }
  | { readonly kind: 'later'; readonly at: Date }
  /** By the clocks of readers: a campaign, whose first delivery is for those who are awake. */
  | { readonly kind: 'by-reader'; readonly plan: QuietHoursPlan; readonly firstAt: Date }
  /** @property until when, by the app's clock; null: by the clocks of readers, everyone is in them. */
  | { readonly kind: 'nobody'; readonly until: Date | null };

/** @param at when it would be sent if nobody slept. */
export function quietWayOf(
  { quiet_hours: hours, time_zone: zone }: QuietApp,
  {
    at,
    expiresAt,
    chosen,
  }: { readonly at: Date; readonly expiresAt: Date | null; readonly chosen: QuietChoice },
  now: Date,
): QuietWay {
  if (hours === null) return { kind: 'as-is' };
  if (hours.time_zone === 'app') {
    const until = quietUntil(zone, at, hours);
    if (until === null) return { kind: 'as-is' };
    const isOver = chosen === 'drop' || (expiresAt !== null && expiresAt <= until);
    return isOver ? { kind: 'nobody', until } : { kind: 'later', at: until };
  }
  const until = chosen === 'drop' ? at : expiresAt;
  const plan: QuietHoursPlan = {
    ...{ kind: 'quiet_hours', from: hours.from, to: hours.to, zone, at: at.toISOString() },
    ...(until === null ? {} : { until: until.toISOString() }),
  };
  const firstAt = firstStepOfZones(plan, now);
  return firstAt === null ? { kind: 'nobody', until: null } : { kind: 'by-reader', plan, firstAt };
}

/**
 * A firing in one zone and an item of a feed are bulk messages like any other: they wait for the end of the app's quiet
 * hours, or are dropped. Tests and sends by local time have chosen their time.
 *
 * @returns the move, and which of its deliveries are left, by their index in the move that was given.
 */
export function keepQuiet(
  campaign: DueCampaign,
  move: CampaignMove,
): { readonly move: CampaignMove; readonly kept: readonly number[] } {
  const { settings, quietHours, zone, now } = campaign;
  const { kind } = settings.plan;
  const chosen = settings.options.duringQuietHours ?? 'wait';
  const all = [...move.deliveries.keys()];
  if (quietHours === null || chosen === 'send' || (kind !== 'recurring' && kind !== 'feed'))
    return { move, kept: all };
  const way = quietWayOf(
    { quiet_hours: quietHours, time_zone: zone },
    { at: now, expiresAt: null, chosen },
    now,
  );
  switch (way.kind) {
    case 'as-is':
      return { move, kept: all };
    case 'nobody':
      return { move: { ...move, deliveries: [] }, kept: [] };
    case 'later': {
      const deliveries = move.deliveries.map((delivery) => ({ ...delivery, scheduledAt: way.at }));
      return { move: { ...move, deliveries }, kept: all };
    }
    case 'by-reader': {
      const waiting = move.deliveries.map((delivery) => runOf(campaign, delivery, way.plan));
      return { move: { ...move, deliveries: [], runs: [...move.runs, ...waiting] }, kept: [] };
    }
  }
}

const runOf = ({ settings }: DueCampaign, { role, content }: CampaignDelivery, plan: QuietHoursPlan) => ({
  run: role,
  settings: { ...settings, contents: [contentOf(settings, content)], plan },
});
