/**
 * A browser's report about a notification it received. The numbers are stored in ClickHouse: they are never
 * reused, new ones are appended.
 */
export const eventTypes = ['displayed', 'clicked', 'closed'] as const;
export type EventType = (typeof eventTypes)[number];

export const eventCode: Readonly<Record<EventType, number>> = Object.freeze({
  displayed: 1,
  clicked: 2,
  closed: 3,
});

/** Letters of an event's id and action: they go into tab-separated text as they are. */
export const EVENT_ID_PATTERN = '^[A-Za-z0-9_-]{8,64}$';
export const EVENT_ACTION_PATTERN = '^[A-Za-z0-9_-]{0,32}$';

/** At most about 270 bytes each: a full batch stays well below the 1 MB that Kafka takes. */
export const MAX_EVENTS_PER_BATCH = 2_048;
