/** In what sense a delivery reached a subscription: its push service took it, its browser showed it, its reader clicked it. */
export const reaches = ['accepted', 'displayed', 'clicked'] as const;
export type Reach = (typeof reaches)[number];

/** A reader who visited, or whose browser reported a notification, within this number of days can be reached. */
export const REACHABLE_DAYS = 30;

/** Whom a delivery reached, from subscription `first` of the app on: bit `seq - first`, least significant bit first. */
export interface ReachMap {
  readonly first: number;
  readonly bits: Uint8Array;
}
