import { say } from '../../../engine/adapters/http/explain-with.ts';
import { sendFieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { ApiDeps } from '../../ports/deps.ts';
import { appAnswers, dataOf, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { parseDay } from '../fields.ts';
import { appOf } from '../own-app.ts';
import type { Scope } from '../scope.ts';
import { readCalendar, type Span } from './read-calendar.ts';
import { calendar, calendarFilters, MAX_DAYS } from './schema.ts';

const DAY_MS = 86_400_000;

/** What a newsroom sends, and when: a month or a week of it. */
export function calendarRoute(scope: Scope, { database }: ApiDeps): void {
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
      const { from, until } = request.query;
      const span = { from: parseDay(from)?.from, until: parseDay(until)?.until };
      if (!isSpan(span)) return sendFieldErrors(reply, say('/until', 'must not be before from'));
      if (span.until.getTime() - span.from.getTime() > MAX_DAYS * DAY_MS)
        return sendFieldErrors(reply, say('/until', `must be at most ${MAX_DAYS} days after from`));
      return { data: await readCalendar(database, appOf(request).id, span, new Date()) };
    },
  );
}

const isSpan = (given: {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}): given is Span => given.from !== undefined && given.until !== undefined && given.from <= given.until;
