import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { DayState } from '../../engine/contract/day-states.ts';
import { dayNumber, daysBetween, dayText } from '../../engine/contract/days.ts';
import { callerOf } from '../access/caller.ts';
import { DaysNotOver, sayDays } from '../ingest/days/ad-days.ts';
import { sendInvalid } from '../problems.ts';
import { accessOf } from '../report/access.ts';
import { placeOf, placeText } from './cursor.ts';
import { type FeedDeps, readRestatements } from './restatement-feed.ts';
import { restatementsSchema, sayDaysSchema } from './schema.ts';

interface DayRoutesDeps extends FeedDeps {
  readonly sql: Pick<Database, 'query' | 'transaction'>;
}

const DEFAULT_LIMIT = 100;
const MAX_DAYS = 1_100;
/** Of statistics. */
const FIRST_DAY = '2000-01-01';

type FeedRequest = FastifyRequest<{
  Querystring: { limit?: number; order?: 'newest' | 'oldest'; cursor?: string };
}>;
interface SaidDays {
  readonly source: string;
  readonly first_day: string;
  readonly last_day: string;
  readonly state: DayState;
}

/** How certain days are, and what changed of them. */
export function dayRoutes(scope: FastifyInstance, deps: DayRoutesDeps): void {
  scope.get('/reports/restatements', { schema: restatementsSchema }, async (request: FeedRequest, reply) => {
    const { limit = DEFAULT_LIMIT, order = 'newest', cursor } = request.query;
    const after = cursor === undefined ? null : placeOf(cursor);
    if (cursor !== undefined && after === null)
      return sendInvalid(reply, { cursor: ['The cursor field must be a next_cursor of this list.'] });
    const access = accessOf(callerOf(request).scope);
    const data = await readRestatements(deps, { access, order, after, limit });
    const last = data.at(-1);
    // A reader of the oldest first goes on from its place when there is more.
    const end = order === 'oldest' ? (cursor ?? null) : null;
    return {
      status: 'success',
      data,
      meta: { next_cursor: last === undefined ? end : placeText(last) },
    };
  });
  scope.put(
    '/reports/days',
    { schema: sayDaysSchema },
    (request: FastifyRequest<{ Body: SaidDays }>, reply) => sayThem(deps, request, reply),
  );
}

async function sayThem(
  { sql }: DayRoutesDeps,
  request: FastifyRequest<{ Body: SaidDays }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { userId, scope } = callerOf(request);
  if (!scope.unrestricted)
    return reply.code(403).send({ message: 'Only a token that sees everything may say so.' });
  const { source, first_day: first, last_day: last, state } = request.body;
  const [from, until] = [dayNumber(first), dayNumber(last)];
  if (from === null || until === null || first < FIRST_DAY || until < from || until - from >= MAX_DAYS)
    return sendInvalid(reply, {
      last_day: [
        `The last_day field must be first_day or a day at most ${MAX_DAYS - 1} days after it, from ${FIRST_DAY}.`,
      ],
    });
  try {
    const days = daysBetween(from, until).map(dayText);
    const changed = await sayDays(sql, { source, days, state, by: 'person', userId });
    return reply.send({ status: 'success', data: { changed } });
  } catch (error) {
    if (error instanceof DaysNotOver) return sendInvalid(reply, { last_day: [error.message] });
    throw error;
  }
}
