import { hash } from 'node:crypto';
import { eventCode } from '../../contract/event.ts';
import type { InsertEnding } from '../../contract/insert-ending.ts';
import type { ReportedEvent } from '../../contract/topics.ts';
import type { ClickHouse } from './clickhouse.ts';
import { insertOnce } from './insert-once.ts';

export interface EventStore {
  /** As `insertOnce`: the same token and events again change nothing. */
  insertEvents(events: readonly ReportedEvent[], token: string): Promise<InsertEnding>;
}

export function createEventStore(clickhouse: ClickHouse): EventStore {
  return {
    insertEvents: async (events, token) => {
      const bytes = Buffer.from(events.map(rowOf).join(''), 'latin1');
      return insertOnce(
        clickhouse,
        { table: 'events', columns, rows: events.length, bytes, format: 'TabSeparated' },
        token,
      );
    },
  };
}

const columns = 'app_id, delivery_id, subscriber, type, action, event_id, at, proven, test';

/** The patterns of the topic leave no character that tab-separated text would have to escape. */
const rowOf = (event: ReportedEvent): string =>
  `${event.app_id}\t${event.delivery_id}\t${subscriberOf(event)}\t${eventCode[event.type]}\t${event.action}\t` +
  `${event.id}\t${(event.at / 1_000).toFixed(3)}\t${event.proven ?? true}\t${event.test ?? false}\n`;

/** Above every seq: no subscription has a number that long. */
const FIRST_UNKNOWN = 2 ** 32;
/** 40 bits: a million unknown ones of one delivery come out at 999,999 or more, nine times in ten exactly. */
const HASH_BYTES = 5;

/**
 * A number for the sets. Without a known subscriber it is derived from the event's id, so that it counts once
 * however often it comes.
 */
function subscriberOf({ seq, id }: ReportedEvent): number {
  return seq ?? FIRST_UNKNOWN + hash('sha256', id, 'buffer').readUIntBE(0, HASH_BYTES);
}
