import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { refusalSchema, sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timestamp } from '../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { previewAudience } from './preview.ts';
import { createSegments } from './save-segment.ts';
import {
  countSchema,
  previewBody,
  type SegmentChanges,
  type SegmentResource,
  segmentBody,
  segmentChanges,
  segmentSchema,
} from './schema.ts';
import { findSegment, listSegments, type StoredSegment } from './store.ts';

const tags = ['Segments'];
const segmentParams = Type.Object({
  ...appParams.properties,
  segment_id: Type.String({ maxLength: 255, description: 'The segment’s id.', examples: ['7'] }),
});
const whenNotes =
  'Deliveries that have started keep the rules of that moment, and what somebody has approved those of its approval; all ' +
  'else that has not started takes these.';
const replaceNotes = `The body states the whole segment. ${whenNotes}`;
const changeNotes = `Absent fields keep their value; \`rules\` are replaced as a whole. ${whenNotes}`;

type Segments = ReturnType<typeof createSegments>;

export function segmentRoutes(scope: Scope, deps: ClientDeps): void {
  const segments = createSegments(deps.database);
  readRoutes(scope, deps);
  createRoute(scope, segments);
  previewRoute(scope, deps);
  updateRoutes(scope, segments);
  deleteRoute(scope, segments);
}

function readRoutes(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  scope.get(
    '/apps/:identifier/segments',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'List segments',
        operationId: 'listSegments',
        description: 'Newest first.',
        security,
        params: appParams,
        querystring: Type.Object(pageFields),
        response: appAnswers({ 200: pageOf(segmentSchema) }),
      },
    },
    async (request) => {
      const app = appOf(request);
      const page = pageOfQuery(request.query);
      const { rows, total } = await listSegments(database, app.id, page);
      return paginate(rows.map(segmentResource), total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier/segments/:segment_id',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'Read a segment',
        operationId: 'getSegment',
        security,
        params: segmentParams,
        response: appAnswers({ 200: dataOf(segmentSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parsePathId(request.params.segment_id);
      if (id === null) return sendNotFound(reply);
      const segment = await findSegment(database, app.id, id);
      return segment === null ? sendNotFound(reply) : { data: segmentResource(segment) };
    },
  );
}

function createRoute(scope: Scope, segments: Segments): void {
  scope.post(
    '/apps/:identifier/segments',
    {
      config: { ability: 'subscriptions:write' },
      schema: {
        tags,
        summary: 'Create a segment',
        operationId: 'createSegment',
        security,
        params: appParams,
        body: segmentBody,
        response: appAnswers({ 201: dataOf(segmentSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const ending = await segments.create(actorOf(request), app.id, request.body);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return reply.code(201).send({ data: segmentResource(ending.segment) });
    },
  );
}

/** Long enough for a million subscriptions on a busy machine, short enough that few of them pile up. */
const COUNT_LIMIT_MS = 5_000;

function previewRoute(scope: Scope, { reads, analytics }: Using<'reads' | 'analytics'>): void {
  scope.post(
    '/apps/:identifier/segments/preview',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'Count an audience',
        operationId: 'previewSegment',
        description:
          'How many subscribed subscriptions match now: those that a delivery with these rules, in this category, would ' +
          'go to, before the frequency cap. Without rules, all of them. Counts that take longer than 5 seconds are ' +
          'cancelled with 503.',
        security,
        params: appParams,
        body: previewBody,
        response: appAnswers({ 200: dataOf(countSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const { organizationId } = callerOf(request);
      const asked = { organizationId, signal: whileWaiting(reply), limitMs: COUNT_LIMIT_MS };
      const ending = await reads.pass(asked, (query) =>
        previewAudience({ query, analytics }, app, request.body),
      );
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return { data: ending.count };
    },
  );
}

function updateRoutes(scope: Scope, segments: Segments): void {
  const url = '/apps/:identifier/segments/:segment_id';
  const config = { ability: 'subscriptions:write' } as const;
  const common = { tags, summary: 'Change a segment', security, params: segmentParams };
  const response = appAnswers({ 200: dataOf(segmentSchema) });
  const answer = async (request: FastifyRequest, reply: FastifyReply, changes: SegmentChanges) => {
    const { segment_id } = request.params as Static<typeof segmentParams>;
    const app = appOf(request);
    const id = parsePathId(segment_id);
    if (id === null) return sendNotFound(reply);
    const ending = await segments.update(actorOf(request), app.id, id, changes);
    if (ending.kind === 'missing') return sendNotFound(reply);
    if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
    return { data: segmentResource(ending.segment) };
  };

  const replace = { ...common, operationId: 'replaceSegment', description: replaceNotes };
  scope.put(url, { config, schema: { ...replace, body: segmentBody, response } }, (request, reply) =>
    answer(request, reply, request.body),
  );
  const change = { ...common, operationId: 'updateSegment', description: changeNotes };
  scope.patch(url, { config, schema: { ...change, body: segmentChanges, response } }, (request, reply) =>
    answer(request, reply, request.body),
  );
}

function deleteRoute(scope: Scope, segments: Segments): void {
  scope.delete(
    '/apps/:identifier/segments/:segment_id',
    {
      config: { ability: 'subscriptions:write' },
      schema: {
        tags,
        summary: 'Delete a segment',
        operationId: 'deleteSegment',
        description:
          'Answers 422 while a delivery uses it that is scheduled or about to start. Other deliveries keep its data.',
        security,
        params: segmentParams,
        response: { ...appAnswers({ 204: Type.Null() }), 422: refusalSchema },
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parsePathId(request.params.segment_id);
      if (id === null) return sendNotFound(reply);
      const ending = await segments.remove(actorOf(request), app.id, id);
      if (ending === 'missing') return sendNotFound(reply);
      if (ending === 'in-use') return reply.code(422).send({ message: inUse });
      return reply.code(204).send(null);
    },
  );
}

const inUse =
  'A delivery that has not started yet uses this segment. Cancel it first, or wait until it has started.';

const segmentResource = (segment: StoredSegment): SegmentResource => ({
  ...segment,
  created_at: timestamp(segment.created_at),
  updated_at: timestamp(segment.updated_at),
});
