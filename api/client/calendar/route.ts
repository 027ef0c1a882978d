import type { Static } from 'typebox';
import { say } from '../../../engine/kit/http/explain-with.ts';
import { sendFieldErrors } from '../../../engine/kit/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parseDay } from '../../http/fields.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { appParams } from '../apps/routes.ts';
import { createReaderTimes } from '../campaigns/reader-times.ts';
import { appOf } from '../own-app.ts';
import { readCalendar, type Span } from './read-calendar.ts';
import { calendar, calendarFilters, DEFAULT_DAYS, MAX_DAYS } from './schema.ts';

const DAY_MS = 86_400_000;

/** What a newsroom sends, and when: a month or a week of it. */
export function calendarRoute(scope: Scope, deps: Using<'database' | 'reads' | 'analytics'>): void {
  const readerTimes = createReaderTimes(deps);
  scope.get(
    '/apps/:identifier/calendar',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Show the calendar',
        operationId: 'showCalendar',
        description:
          'What was sent, what is scheduled, and what recurring campaigns are expected to send, in the order of their times. ' +
          'Rehearsals, tests, and what was cancelled before it started are left out.',
        security,
        params: appParams,
        querystring: calendarFilters,
        response: appAnswers({ 200: dataOf(calendar) }),
      },
    },
    async (request, reply) => {
      const span = spanOf(request.query, new Date());
      if (span.until < span.from) return sendFieldErrors(reply, say('/until', 'must not be before from'));
      if (span.until.getTime() - span.from.getTime() > MAX_DAYS * DAY_MS)
        return sendFieldErrors(reply, say('/until', `must be at most ${MAX_DAYS} days after from`));
      const app = appOf(request);
      const timesOf = readerTimes(callerOf(request).organizationId, app);
      return { data: await readCalendar(deps.database, app.id, span, new Date(), timesOf) };
    },
  );
}

function spanOf({ from, until }: Static<typeof calendarFilters>, now: Date): Span {
  const first = (from === undefined ? startOfDay(now) : parseDay(from)?.from) ?? now;
  const last = until === undefined ? undefined : parseDay(until)?.until;
  return { from: first, until: last ?? new Date(first.getTime() + DEFAULT_DAYS * DAY_MS - 1) };
}

const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
