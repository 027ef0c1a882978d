import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import {
  findSavedReport,
  insertSavedReport,
  listSavedReports,
  MOST_SAVED,
  removeSavedReport,
  replaceSavedReport,
  type SavedContent,
  type SavedEnd,
  type SavedReport,
} from '../../engine/adapters/postgres/saved-reports/saved.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { callerOf } from '../access/caller.ts';
import { isNeverOver, requestAt } from './days.ts';
import {
  createSchema,
  listSchema,
  removeSchema,
  replaceSchema,
  type SavedRequest,
  showSchema,
} from './schema.ts';

export interface SavedRoutesDeps {
  readonly database: Pick<Database, 'query' | 'transaction'>;
  readonly clock: Pick<Clock, 'now'>;
}

type OneRequest = FastifyRequest<{ Params: { id: number } }>;
type ReplaceRequest = FastifyRequest<{ Params: { id: number }; Body: SavedRequest }>;

/** Reports that an organization keeps by name: of the organization of who asks, be it with whichever token. */
export function savedRoutes(scope: FastifyInstance, { database, clock }: SavedRoutesDeps): void {
  const viewOf = (saved: SavedReport) => {
    const { id, name, period, view, made_by, created_at, updated_at, may_change } = saved;
    const request = requestAt(saved, clock.now());
    return { id, name, period, request, view, made_by, created_at, updated_at, may_change };
  };
  const sendOne = async (request: FastifyRequest, reply: FastifyReply, id: number): Promise<FastifyReply> => {
    const found = await findSavedReport(database, callerOf(request).userId, id);
    return found === null ? sendNotFound(reply) : reply.send({ status: 'success', data: viewOf(found) });
  };

  scope.post(
    '/reports/saved',
    { schema: createSchema },
    async (request: FastifyRequest<{ Body: SavedRequest }>, reply) => {
      const made = await insertSavedReport(database, callerOf(request).userId, contentOf(request.body));
      if (typeof made === 'string') return sendEnd(reply, made);
      return sendOne(request, reply.code(201).header('location', `/api/v1/reports/saved/${made}`), made);
    },
  );
  scope.get('/reports/saved', { schema: listSchema }, async (request) => ({
    status: 'success',
    data: (await listSavedReports(database, callerOf(request).userId)).map(viewOf),
  }));
  scope.get('/reports/saved/:id', { schema: showSchema }, (request: OneRequest, reply) =>
    sendOne(request, reply, request.params.id),
  );
  scope.put('/reports/saved/:id', { schema: replaceSchema }, async (request: ReplaceRequest, reply) => {
    const { id } = request.params;
    const content = contentOf(request.body);
    const { userId } = callerOf(request);
    const end = await replaceSavedReport(database, userId, id, content, isNeverOver(content, clock.now()));
    return end === 'replaced' ? sendOne(request, reply, id) : sendEnd(reply, end);
  });
  scope.delete('/reports/saved/:id', { schema: removeSchema }, async (request: OneRequest, reply) => {
    const end = await removeSavedReport(database, callerOf(request).userId, request.params.id);
    return end === 'removed' ? reply.code(204).send() : sendEnd(reply, end);
  });
}

function contentOf({ name, period, view, ...request }: SavedRequest): SavedContent {
  return { name: name.trim(), period: period ?? null, view: view ?? null, request };
}

function sendEnd(reply: FastifyReply, end: SavedEnd): FastifyReply {
  switch (end) {
    case 'missing':
      return sendNotFound(reply);
    case 'forbidden':
      return reply.code(403).send({ message: forbiddenWords });
    case 'taken':
      return reply.code(409).send({ message: 'Another saved report has this name. Choose a different one.' });
    case 'never-final':
      return reply.code(409).send({
        message:
          'A schedule of it waits until its days are final, and days that go up to today never are. Delete the schedule, or take another period.',
      });
    case 'full':
      return reply.code(409).send({
        message: `The organization has ${MOST_SAVED} saved reports. Delete some that you no longer need.`,
      });
  }
}

export const forbiddenWords =
  'Only the maker or an admin of the organization may change it; readers and guests of apps only read.';
