import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { answers, appAnswers, dataOf, security } from '../../http/answers.ts';
import { timestamp, timestampOrNull } from '../../http/fields.ts';
import { addressOf, baseOf, pageFields, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { appOf } from '../own-app.ts';
import { createCreateApp } from './create-app.ts';
import { createDeleteApp } from './delete-app.ts';
import { readPictures, shownPictures } from './pictures/given-pictures.ts';
import { type AppResource, appBody, appChanges, appSchema } from './schema.ts';
import { listApps, type StoredApp } from './store.ts';
import { type AppUpdate, createUpdateApp, type UpdateApp } from './update-app.ts';

const tags = ['Apps'];

export function appRoutes(scope: Scope, deps: ApiDeps): void {
  const { database, config } = deps;
  const createApp = createCreateApp(database, createSealer(deps.masterKey, deps.oldMasterKeys));

  scope.get(
    '/apps',
    {
      config: { ability: 'apps:read', showsOwnApps: true },
      schema: {
        tags,
        summary: 'List apps',
        operationId: 'listApps',
        security,
        querystring: Type.Object(pageFields),
        response: answers({ 200: pageOf(appSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listApps(database, callerOf(request), page);
      return paginate(
        rows.map((app) => appResource(app, baseOf(request, config))),
        total,
        page,
        addressOf(request, config.publicBaseUrl),
      );
    },
  );

  scope.get(
    '/apps/:identifier',
    {
      config: { ability: 'apps:read' },
      schema: {
        tags,
        summary: 'Read an app',
        operationId: 'getApp',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(appSchema) }),
      },
    },
    async (request) => ({ data: appResource(appOf(request), baseOf(request, config)) }),
  );

  scope.post(
    '/apps',
    {
      config: { ability: 'apps:write' },
      schema: {
        tags,
        summary: 'Create an app',
        operationId: 'createApp',
        description: 'The app gets its VAPID key pair and its identifier for life.',
        security,
        body: appBody,
        response: answers({ 201: dataOf(appSchema) }),
      },
    },
    async (request, reply) => {
      const base = baseOf(request, config);
      const read = readPictures(request.body, base);
      if (read.kind === 'refused') return sendFieldErrors(reply, read.errors);
      const ending = await createApp({ caller: callerOf(request), actor: actorOf(request), base }, read.body);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return reply.code(201).send({ data: appResource(ending.app, base) });
    },
  );

  updateRoutes(scope, deps);
  deleteRoute(scope, deps);
}

const updateNotes = `The identifier and the VAPID key pair stay. A new \`site_domain\` holds for browsers within seconds.

With \`organization_id\`, a super-admin moves the app to that organization, with everything it owns; its old \
organization no longer sees it.`;
const replaceDescription = `Replaces the whole app: absent fields get their default. ${updateNotes}`;
const changeDescription = `Absent fields keep their value, and a field that is \`null\` gets its default \
again. \`name\` and \`site_domain\` are always given, and the rules hold for the body and for the app as it becomes. \
${updateNotes}`;

function updateRoutes(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  const changeApp = createUpdateApp(database);
  const common = { tags, summary: 'Change an app', security, params: appParams };
  const response = appAnswers({ 200: dataOf(appSchema) });

  scope.put(
    '/apps/:identifier',
    {
      config: { ability: 'apps:write' },
      schema: {
        ...common,
        operationId: 'replaceApp',
        description: replaceDescription,
        body: appBody,
        response,
      },
    },
    async (request, reply) => {
      const base = baseOf(request, config);
      const read = readPictures(request.body, base);
      if (read.kind === 'refused') return sendFieldErrors(reply, read.errors);
      return answerUpdate(changeApp, request, reply, { base, update: { kind: 'whole', body: read.body } });
    },
  );

  scope.patch(
    '/apps/:identifier',
    {
      config: { ability: 'apps:write' },
      schema: {
        ...common,
        operationId: 'updateApp',
        description: changeDescription,
        body: appChanges,
        response,
      },
    },
    async (request, reply) => {
      const base = baseOf(request, config);
      const read = readPictures(request.body, base);
      if (read.kind === 'refused') return sendFieldErrors(reply, read.errors);
      return answerUpdate(changeApp, request, reply, { base, update: { kind: 'changes', body: read.body } });
    },
  );
}

async function answerUpdate(
  changeApp: UpdateApp,
  request: FastifyRequest,
  reply: FastifyReply,
  { base, update }: { readonly base: string; readonly update: AppUpdate },
) {
  const { identifier } = request.params as { readonly identifier: string };
  const ending = await changeApp(
    { caller: callerOf(request), actor: actorOf(request), base },
    identifier,
    update,
  );
  if (ending.kind === 'missing') return sendNotFound(reply);
  if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
  return { data: appResource(ending.app, base) };
}

const deleteDescription = `For admins: a member’s token is answered 403, whatever its abilities. The app is hidden at once: its paths answer 404, browsers can no longer subscribe, \
and deliveries that have not completed are cancelled. Subscriptions, deliveries and statistics are removed in \
the background, permanently.`;

function deleteRoute(scope: Scope, { database }: Using<'database'>): void {
  const deleteApp = createDeleteApp(database);
  scope.delete(
    '/apps/:identifier',
    {
      config: { ability: 'apps:write', role: 'admin' },
      schema: {
        tags,
        summary: 'Delete an app',
        operationId: 'deleteApp',
        description: deleteDescription,
        security,
        params: appParams,
        response: appAnswers({ 204: Type.Null() }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const ending = await deleteApp(organizationId, actorOf(request), request.params.identifier);
      return ending === 'missing' ? sendNotFound(reply) : reply.code(204).send(null);
    },
  );
}

export const appParams = Type.Object({
  identifier: Type.String({
    maxLength: 255,
    description: 'The app’s identifier.',
    examples: ['example-news-k7m2pq'],
  }),
});

/** @param base our own address, as the client knows it. */
export function appResource({ id: _id, ...app }: StoredApp, base: string): AppResource {
  return {
    ...app,
    ...shownPictures(base, app),
    first_browser_at: timestampOrNull(app.first_browser_at),
    created_at: timestamp(app.created_at),
    updated_at: timestamp(app.updated_at),
  };
}
