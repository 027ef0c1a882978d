import type { AppId } from '../../contract/ids.ts';
import type { ClickHouse } from './clickhouse.ts';

export interface PersonAttempt {
  readonly seq: number;
  readonly delivery_id: number;
  readonly at: string;
  readonly outcome: string;
  readonly status: number;
  readonly push_service: string;
}

export interface PersonEvent {
  readonly seq: number;
  readonly delivery_id: number;
  readonly at: string;
  readonly type: string;
  readonly action: string;
}

/** Rows from one place on, in an order that does not change. */
export interface RowsFrom {
  readonly limit: number;
  readonly offset: number;
}

/** What ClickHouse has of some subscriptions, newest first. Each reads a column of the whole app. */
export interface PersonReads {
  personAttempts(appId: AppId, seqs: readonly number[], from: RowsFrom): Promise<PersonAttempt[]>;
  personEvents(appId: AppId, seqs: readonly number[], from: RowsFrom): Promise<PersonEvent[]>;
}

export function createPersonReads({ client }: ClickHouse): PersonReads {
  const time = `concat(replaceOne(toString(at), ' ', 'T'), 'Z') AS time`;
  async function rows<One extends PersonAttempt | PersonEvent>(
    query: string,
    [app, seqs, from]: readonly [AppId, readonly number[], RowsFrom],
  ): Promise<One[]> {
    const query_params = { app, seqs: [...seqs], ...from };
    const ending = 'LIMIT {limit:UInt32} OFFSET {offset:UInt64}';
    const answer = await client.query({ query: `${query} ${ending}`, query_params, format: 'JSONEachRow' });
    return (await answer.json<Row<One>>()).map(numbered<One>);
  }

  return {
    personAttempts: (...asked) =>
      rows<PersonAttempt>(
        `SELECT toString(seq) AS subscriber, toString(delivery_id) AS delivery, ${time}, outcome, status, push_service
         FROM outcomes WHERE app_id = {app:UInt32} AND seq IN {seqs:Array(UInt64)}
         ORDER BY at DESC, delivery_id DESC, seq, attempt DESC`,
        asked,
      ),
    personEvents: (...asked) =>
      rows<PersonEvent>(
        `SELECT toString(events.subscriber) AS subscriber, toString(delivery_id) AS delivery, ${time}, type, action
         FROM events WHERE app_id = {app:UInt32} AND events.subscriber IN {seqs:Array(UInt64)}
         ORDER BY at DESC, delivery_id DESC, events.subscriber, event_id`,
        asked,
      ),
  };
}

/** 64-bit numbers come as texts: chdb and the server write them differently otherwise. */
type Row<One> = Omit<One, 'seq' | 'delivery_id' | 'at'> & {
  readonly subscriber: string;
  readonly delivery: string;
  readonly time: string;
};

const numbered = <One>({ subscriber, delivery, time, ...row }: Row<One>): One =>
  ({ ...row, seq: Number(subscriber), delivery_id: Number(delivery), at: time }) as One;
