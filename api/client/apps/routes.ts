import { Type } from 'typebox';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { callerOf } from '../../auth/bearer.ts';
import type { ApiDeps } from '../../deps.ts';
import { sendFieldErrors, sendNotFound } from '../../plugins/problem.ts';
import { answers, appAnswers, dataOf, security } from '../answers.ts';
import { timestamp } from '../fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../page.ts';
import type { Scope } from '../scope.ts';
import { createCreateApp } from './create-app.ts';
import { type AppResource, appBody, appSchema } from './schema.ts';
import { findApp, listApps, type StoredApp } from './store.ts';

const tags = ['Apps'];

export function appRoutes(scope: Scope, deps: ApiDeps): void {
  const { database, config } = deps;
  const createApp = createCreateApp(database, createSealer(deps.masterKey));

  scope.get(
    '/apps',
    {
      config: { ability: 'apps:read' },
      schema: {
        tags,
        security,
        querystring: Type.Object(pageFields),
        response: answers({ 200: pageOf(appSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listApps(database, callerOf(request).organizationId, page);
      return paginate(rows.map(appResource), total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier',
    {
      config: { ability: 'apps:read' },
      schema: { tags, security, params: appParams, response: appAnswers({ 200: dataOf(appSchema) }) },
    },
    async (request, reply) => {
      const app = await findApp(database, callerOf(request).organizationId, request.params.identifier);
      return app === null ? sendNotFound(reply) : { data: appResource(app) };
    },
  );

  scope.post(
    '/apps',
    {
      config: { ability: 'apps:write' },
      schema: { tags, security, body: appBody, response: answers({ 201: dataOf(appSchema) }) },
    },
    async (request, reply) => {
      const ending = await createApp(callerOf(request), request.body);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return reply.code(201).send({ data: appResource(ending.app) });
    },
  );
}

export const appParams = Type.Object({ identifier: Type.String() });

export function appResource({ id: _id, ...app }: StoredApp): AppResource {
  return { ...app, created_at: timestamp(app.created_at), updated_at: timestamp(app.updated_at) };
}
