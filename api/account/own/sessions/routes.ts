import { Type } from 'typebox';
import { problemSchema, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { dataOf } from '../../../http/answers.ts';
import { nullable, parsePathId, timeField, timestamp } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, nothing, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { endOwnSession, type ListedSession, listSessions } from './store.ts';

const sessionSchema = Type.Object(
  {
    id: Type.Integer(),
    browser: nullable<string>({ type: 'string', description: 'Its browser and system; null: unknown.' }),
    address: nullable<string>({ type: 'string', description: 'Where it began; null: unknown.' }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    created_at: timeField,
    last_used_at: Type.String({ format: 'date-time', description: 'To the minute.' }),
  },
  {
    title: 'Session',
    examples: [
      {
        id: 31,
        browser: 'Firefox 140, Windows 10',
        address: '192.0.2.7',
        current: true,
        created_at: '2026-01-31T12:00:00+00:00',
        last_used_at: '2026-01-31T14:05:00+00:00',
      },
    ],
  },
);

export function ownSessionRoutes(scope: Scope, { database, cookie }: AccountParts): void {
  scope.get(
    '/sessions',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'List your sessions',
        operationId: 'listSessions',
        description: 'Those that have not ended, at most 20.',
        security,
        response: accountAnswers({ 200: dataOf(Type.Array(sessionSchema)) }),
      },
    },
    async (request) => {
      const rows = await listSessions(database, callerOf(request).userId, cookie.read(request) ?? '');
      return { data: rows.map(sessionResource) };
    },
  );

  scope.delete(
    '/sessions/:session_id',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'End one of your sessions',
        operationId: 'endSession',
        description: 'At once: the next request of that browser is answered 401.',
        security,
        params: Type.Object({
          session_id: Type.String({ maxLength: 255, description: 'The session’s id.', examples: ['12'] }),
        }),
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.session_id);
      const ended = await database.transaction(async (sql) => {
        if (id === null || !(await endOwnSession(sql, callerOf(request).userId, id))) return false;
        await noteChange(sql, actorOf(request), { action: 'user.session-ended', subjectId: id });
        return true;
      });
      return ended ? reply.code(204).send(null) : sendNotFound(reply);
    },
  );
}

const sessionResource = (session: ListedSession) => ({
  ...session,
  created_at: timestamp(session.created_at),
  last_used_at: timestamp(session.last_used_at),
});
