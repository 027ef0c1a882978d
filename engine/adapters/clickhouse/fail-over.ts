import type { ClickHouseClient } from '@clickhouse/client';
import { clickHouseErrorCode } from './errors.ts';

/** Nothing of the request has reached a server: it may be sent anywhere, whatever it does. */
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;
/** It may have been carried out. */
const cutOff = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/;
/** Of a replica that has lost its Keeper: TABLE_IS_READ_ONLY, NO_ZOOKEEPER, KEEPER_EXCEPTION. */
const withoutKeeper: ReadonlySet<number | null> = new Set([242, 225, 999]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const isUnsent = (error: unknown): boolean => unsent.test(codeOf(error));
/** The next replica may answer: this one is unavailable, or refuses for a reason of its own. */
export const isElsewhereBetter = (error: unknown): boolean =>
  isUnsent(error) || cutOff.test(codeOf(error)) || withoutKeeper.has(clickHouseErrorCode(error));

/**
 * One client over several replicas: a call goes to the one that answered last, and where that one is unavailable, to the next,
 * each at most once. Reads are asked again elsewhere; what changes something is, only where nothing of it was sent. Rows
 * cannot be sent again, because their stream is used up: `insertOnce` does that, with its token. A call that took too
 * long is not repeated: the next replica would take as long.
 */
export function overReplicas(clients: readonly [ClickHouseClient, ...ClickHouseClient[]]): ClickHouseClient {
  let current = 0;
  async function call<Answer>(
    work: (client: ClickHouseClient) => Promise<Answer>,
    mayRepeat: (error: unknown) => boolean,
  ): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const at = current;
      try {
        return await work(clients[at] ?? clients[0]);
      } catch (error) {
        if (!isElsewhereBetter(error)) throw error;
        // Of several calls that find it away, one moves on.
        if (current === at) current = (at + 1) % clients.length;
        if (tries === clients.length || !mayRepeat(error)) throw error;
      }
    }
  }
  const over: Pick<ClickHouseClient, 'query' | 'command' | 'exec' | 'insert' | 'ping' | 'close'> = {
    query: (params) => call((client) => client.query(params), isElsewhereBetter) as never,
    command: (params) => call((client) => client.command(params), isUnsent),
    exec: (params) => {
      const hasRows = 'values' in params && params.values !== undefined;
      return call((client) => client.exec(params), hasRows ? () => false : isUnsent) as never;
    },
    insert: (params) =>
      call(
        (client) => client.insert(params),
        () => false,
      ),
    ping: async (params) => {
      for (let tries = 1; ; tries++) {
        const at = current;
        const answer = await (clients[at] ?? clients[0]).ping(params);
        if (answer.success || tries === clients.length) return answer;
        if (current === at) current = (at + 1) % clients.length;
      }
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
  return over as ClickHouseClient;
}
