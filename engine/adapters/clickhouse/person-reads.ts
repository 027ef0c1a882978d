import type { AppId } from '../../contract/ids.ts';
import type { ClickHouse } from './clickhouse.ts';

/** What ClickHouse has of some subscriptions, newest first. */
export interface PersonRecord {
  readonly attempts: readonly {
    readonly seq: number;
    readonly delivery_id: number;
    readonly at: string;
    readonly outcome: string;
    readonly status: number;
    readonly push_service: string;
  }[];
  readonly events: readonly {
    readonly seq: number;
    readonly delivery_id: number;
    readonly at: string;
    readonly type: string;
    readonly action: string;
  }[];
}

export interface PersonReads {
  /** At most `limit` attempts and as many events. Reads a column of the whole app: for one person at a time. */
  personRecord(appId: AppId, seqs: readonly number[], limit: number): Promise<PersonRecord>;
}

export function createPersonReads({ client }: ClickHouse): PersonReads {
  async function rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  }
  const time = `concat(replaceOne(toString(at), ' ', 'T'), 'Z') AS time`;

  return {
    personRecord: async (app, seqs, limit) => {
      const params = { app, seqs: [...seqs], limit };
      const attempts = await rows<Row<'attempts'>>(
        `SELECT toString(seq) AS subscriber, toString(delivery_id) AS delivery, ${time}, outcome, status, push_service
         FROM outcomes WHERE app_id = {app:UInt32} AND seq IN {seqs:Array(UInt64)}
         ORDER BY at DESC LIMIT {limit:UInt32}`,
        params,
      );
      const events = await rows<Row<'events'>>(
        `SELECT toString(events.subscriber) AS subscriber, toString(delivery_id) AS delivery, ${time}, type, action
         FROM events WHERE app_id = {app:UInt32} AND events.subscriber IN {seqs:Array(UInt64)}
         ORDER BY at DESC LIMIT {limit:UInt32}`,
        params,
      );
      return { attempts: attempts.map(numbered), events: events.map(numbered) };
    },
  };
}

/** 64-bit numbers come as texts: chdb and the server write them differently otherwise. */
type Row<Kind extends keyof PersonRecord> = Omit<PersonRecord[Kind][number], 'seq' | 'delivery_id' | 'at'> & {
  readonly subscriber: string;
  readonly delivery: string;
  readonly time: string;
};

const numbered = <Given extends { subscriber: string; delivery: string; time: string }>({
  subscriber,
  delivery,
  time,
  ...row
}: Given) => ({ ...row, seq: Number(subscriber), delivery_id: Number(delivery), at: time });
