import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { refusalSchema, sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timestamp } from '../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { createCategories } from './save-category.ts';
import {
  type CategoryChanges,
  type CategoryResource,
  categoryBody,
  categoryChanges,
  categorySchema,
} from './schema.ts';
import { findCategory, listCategories, type StoredCategory } from './store.ts';

const tags = ['Delivery categories'];
const categoryParams = Type.Object({
  ...appParams.properties,
  category_id: Type.String({ maxLength: 255, description: 'The delivery category’s id.', examples: ['3'] }),
});
const replaceNotes = 'The body states the whole category: a description that is left out is taken away.';
const changeNotes = 'Absent fields keep their value; a `null` description is removed.';

type Categories = ReturnType<typeof createCategories>;

export function categoryRoutes(scope: Scope, deps: ApiDeps): void {
  const categories = createCategories(deps.database);
  readRoutes(scope, deps);
  createRoute(scope, categories);
  updateRoutes(scope, categories);
  deleteRoute(scope, categories);
}

function readRoutes(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  scope.get(
    '/apps/:identifier/delivery-categories',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List delivery categories',
        operationId: 'listDeliveryCategories',
        description: 'In the order of their names.',
        security,
        params: appParams,
        querystring: Type.Object(pageFields),
        response: appAnswers({ 200: pageOf(categorySchema) }),
      },
    },
    async (request) => {
      const app = appOf(request);
      const page = pageOfQuery(request.query);
      const { rows, total } = await listCategories(database, app.id, page);
      return paginate(rows.map(categoryResource), total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier/delivery-categories/:category_id',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'Read a delivery category',
        operationId: 'getDeliveryCategory',
        security,
        params: categoryParams,
        response: appAnswers({ 200: dataOf(categorySchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parsePathId(request.params.category_id);
      if (id === null) return sendNotFound(reply);
      const category = await findCategory(database, app.id, id);
      return category === null ? sendNotFound(reply) : { data: categoryResource(category) };
    },
  );
}

function createRoute(scope: Scope, categories: Categories): void {
  scope.post(
    '/apps/:identifier/delivery-categories',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Create a delivery category',
        operationId: 'createDeliveryCategory',
        security,
        params: appParams,
        body: categoryBody,
        response: appAnswers({ 201: dataOf(categorySchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const ending = await categories.create(actorOf(request), app.id, request.body);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return reply.code(201).send({ data: categoryResource(ending.category) });
    },
  );
}

function updateRoutes(scope: Scope, categories: Categories): void {
  const url = '/apps/:identifier/delivery-categories/:category_id';
  const config = { ability: 'deliveries:write', role: 'approver' } as const;
  const common = { tags, summary: 'Change a delivery category', security, params: categoryParams };
  const response = appAnswers({ 200: dataOf(categorySchema) });
  const answer = async (request: FastifyRequest, reply: FastifyReply, changes: CategoryChanges) => {
    const { category_id } = request.params as Static<typeof categoryParams>;
    const app = appOf(request);
    const id = parsePathId(category_id);
    if (id === null) return sendNotFound(reply);
    const ending = await categories.update(actorOf(request), app.id, id, changes);
    if (ending.kind === 'missing') return sendNotFound(reply);
    if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
    return { data: categoryResource(ending.category) };
  };

  const replace = { ...common, operationId: 'replaceDeliveryCategory', description: replaceNotes };
  scope.put(url, { config, schema: { ...replace, body: categoryBody, response } }, (request, reply) =>
    answer(request, reply, { ...request.body, description: request.body.description ?? null }),
  );
  const change = { ...common, operationId: 'updateDeliveryCategory', description: changeNotes };
  scope.patch(url, { config, schema: { ...change, body: categoryChanges, response } }, (request, reply) =>
    answer(request, reply, request.body),
  );
}

function deleteRoute(scope: Scope, categories: Categories): void {
  scope.delete(
    '/apps/:identifier/delivery-categories/:category_id',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Delete a delivery category',
        operationId: 'deleteDeliveryCategory',
        description:
          'Answers 422 while a delivery uses it that is scheduled or about to start. Other deliveries keep its data.',
        security,
        params: categoryParams,
        response: { ...appAnswers({ 204: Type.Null() }), 422: refusalSchema },
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parsePathId(request.params.category_id);
      if (id === null) return sendNotFound(reply);
      const ending = await categories.remove(actorOf(request), app.id, id);
      if (ending === 'missing') return sendNotFound(reply);
      if (ending === 'in-use') return reply.code(422).send({ message: inUse });
      return reply.code(204).send(null);
    },
  );
}

const inUse =
  'A delivery that has not started yet is in this category. Cancel it first, or wait until it has started.';

const categoryResource = (category: StoredCategory): CategoryResource => ({
  ...category,
  created_at: timestamp(category.created_at),
  updated_at: timestamp(category.updated_at),
});
