import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timestamp } from '../../http/fields.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { appParams } from '../apps/routes.ts';
import { appOf, ownAlone } from '../own-app.ts';
import {
  type DraftResource,
  draftAssignment,
  draftBody,
  draftConflict,
  draftDetailSchema,
  draftFilters,
  draftSaveBody,
  draftSchema,
} from './schema.ts';
import {
  assignDraft,
  deleteDraft,
  findDraft,
  findWriter,
  insertDraft,
  listDrafts,
  type StoredDraft,
  saveDraft,
  type WholeDraft,
} from './store.ts';

const tags = ['Drafts'];
const draftParams = Type.Object({
  ...appParams.properties,
  draft_id: Type.String({ maxLength: 255, description: 'The draft’s id.', examples: ['7'] }),
});
/** Of each kind in an app. */
const MOST_DRAFTS = 500;

/** Drafts and templates: what a team writes before anything is sent. */
export function draftRoutes(scope: Scope, deps: ApiDeps): void {
  readRoutes(scope, deps);
  createRoute(scope, deps);
  saveRoute(scope, deps);
  assignRoute(scope, deps);
  deleteRoute(scope, deps);
}

function readRoutes(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  scope.get(
    '/apps/:identifier/drafts',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List drafts and templates',
        operationId: 'listDrafts',
        description: 'The team’s, those that were saved last first.',
        security,
        params: appParams,
        querystring: draftFilters,
        response: appAnswers({ 200: pageOf(draftSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listDrafts(database, appOf(request).id, request.query.kind, page);
      return paginate(rows.map(draftResource), total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier/drafts/:draft_id',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'Read a draft or template',
        operationId: 'getDraft',
        security,
        params: draftParams,
        response: appAnswers({ 200: dataOf(draftDetailSchema) }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.draft_id);
      const draft = id === null ? null : await findDraft(database, appOf(request).id, id);
      return draft === null ? sendNotFound(reply) : { data: detailOf(draft) };
    },
  );
}

function createRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.post(
    '/apps/:identifier/drafts',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Create a draft or template',
        operationId: 'createDraft',
        description: `An app has at most ${MOST_DRAFTS} drafts and ${MOST_DRAFTS} templates.`,
        security,
        params: appParams,
        body: draftBody,
        response: appAnswers({ 201: dataOf(draftDetailSchema) }),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { id: appId } = appOf(request);
      const actor = actorOf(request);
      const made = await database.transaction(async (sql) => {
        const draft = await insertDraft(sql, appId, actor.userId, body, MOST_DRAFTS);
        const detail = { name: body.name, kind: body.kind };
        if (draft !== null)
          await noteChange(sql, actor, { action: 'draft.created', subjectId: draft.id, appId, detail });
        return draft;
      });
      if (made === null)
        return sendFieldErrors(reply, {
          kind: [`The app has ${MOST_DRAFTS} ${body.kind}s: delete some that nobody needs.`],
        });
      return reply.code(201).send({ data: detailOf(made) });
    },
  );
}

function saveRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.put(
    '/apps/:identifier/drafts/:draft_id',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Save a draft or template',
        operationId: 'saveDraft',
        description:
          'The body contains the whole of it. Saved over the version that it names; not in the audit log, since it is saved while one writes.',
        security,
        params: draftParams,
        body: draftSaveBody,
        response: appAnswers({ 200: dataOf(draftDetailSchema), 409: draftConflict }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.draft_id);
      if (id === null) return sendNotFound(reply);
      if (await isForeign(database, request, id, ['template']))
        return reply.code(403).send({ message: FOREIGN });
      const saved = await saveDraft(database, appId, id, actorOf(request).userId, request.body);
      if (saved !== null) return { data: detailOf(saved) };
      const other = await findDraft(database, appId, id);
      if (other === null) return sendNotFound(reply);
      return reply.code(409).send({
        message: `${other.changed_by} has changed it meanwhile. Read it again, or save yours as another one.`,
        code: 'changed',
        draft: draftResource(other),
      });
    },
  );
}

function assignRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.put(
    '/apps/:identifier/drafts/:draft_id/assignee',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Hand a draft over',
        operationId: 'assignDraft',
        description:
          'Asks somebody of the team to write on it: their overview says so. Its version stays, so that nobody who writes on it is stopped.',
        security,
        params: draftParams,
        body: draftAssignment,
        response: appAnswers({ 200: dataOf(draftDetailSchema) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.draft_id);
      const { email = null, comment = '' } = request.body;
      if (id === null) return sendNotFound(reply);
      const to = email === null ? null : await findWriter(database, appId, email);
      if (email !== null && to === null) return sendFieldErrors(reply, { email: [NO_WRITER] });
      const by = actorOf(request).userId;
      const assigned = await assignDraft(database, appId, id, { to, by: to === null ? null : by, comment });
      return assigned === null ? sendNotFound(reply) : { data: detailOf(assigned) };
    },
  );
}
const NO_WRITER =
  'Nobody with this address may write on this app. Enter a colleague with the role author or higher.';

function deleteRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.delete(
    '/apps/:identifier/drafts/:draft_id',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Delete a draft or template',
        operationId: 'deleteDraft',
        security,
        params: draftParams,
        response: appAnswers({ 204: Type.Null() }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.draft_id);
      const actor = actorOf(request);
      if (id !== null && (await isForeign(database, request, id, ['draft', 'template'])))
        return reply.code(403).send({ message: FOREIGN });
      const gone = await database.transaction(async (sql) => {
        const draft = id === null ? null : await deleteDraft(sql, appId, id);
        if (draft === null) return null;
        const detail = { name: draft.name, kind: draft.kind };
        await noteChange(sql, actor, { action: 'draft.deleted', subjectId: draft.id, appId, detail });
        return draft;
      });
      return gone === null ? sendNotFound(reply) : reply.code(204).send(null);
    },
  );
}

/** The team writes a draft together; what another person made is not an author’s to take away, nor what colleagues begin with. */
async function isForeign(
  sql: Sql,
  request: FastifyRequest,
  id: number,
  kinds: readonly StoredDraft['kind'][],
): Promise<boolean> {
  const own = ownAlone(request);
  const draft = own === null ? null : await findDraft(sql, appOf(request).id, id);
  return draft !== null && kinds.includes(draft.kind) && draft.author_id !== own;
}
const FOREIGN =
  'Requires ability deliveries:write and role approver on this app; your role is author. Authors can delete only their own drafts and change only their own templates.';

const draftResource = (draft: StoredDraft): DraftResource => ({
  ...{ id: draft.id, kind: draft.kind, name: draft.name, version: draft.version },
  ...{ changed_by: draft.changed_by, changed_by_name: draft.changed_by_name, author_name: draft.author_name },
  ...{ assignee: draft.assignee, assigned_by_name: draft.assigned_by_name, comment: draft.comment },
  created_at: timestamp(draft.created_at),
  updated_at: timestamp(draft.updated_at),
});
const detailOf = (draft: WholeDraft) => ({ ...draftResource(draft), values: draft.values });
