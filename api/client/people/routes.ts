import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { LATE_DAYS } from '../../../engine/adapters/postgres/removal/removal-store.ts';
import { mostBytes } from '../../../engine/kit/http/most-bytes.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId } from '../../http/fields.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { exportRoute } from './export-route.ts';
import { config, refusalOf, tags } from './person.ts';
import { erasureResource } from './receipt.ts';
import { erasureSchema, namesOf, type PersonBody, personBody } from './schema.ts';
import { erasePerson, findErasure } from './store.ts';

const receiptParams = Type.Object({
  ...appParams.properties,
  erasure_id: Type.String({ maxLength: 255, description: 'The receipt’s id.', examples: ['7'] }),
});

/** What the law gives a reader: what is stored about them, and its end. The person is in the body, so in no log. */
export function peopleRoutes(scope: Scope, deps: ClientDeps): void {
  exportRoute(scope, deps);
  eraseRoute(scope, deps);
  receiptRoute(scope, deps);
}

function eraseRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.post(
    '/apps/:identifier/people/erase',
    {
      bodyLimit: mostBytes(personBody),
      config,
      schema: {
        tags,
        summary: 'Erase a person',
        operationId: 'erasePerson',
        description:
          'Of one app, and for good. Postgres is done with the answer; of more than 1,000 subscriptions, which others can have made under the id, engines erase the rest within minutes. ClickHouse and the log follow, and the receipt says how far they are. A person of whom nothing is stored gets a receipt as well. Their browser keeps its subscription at the push service: unless your site stops calling subscribe for them, it comes back with their next visit.',
        security,
        params: appParams,
        body: personBody,
        response: appAnswers({ 202: dataOf(erasureSchema) }),
      },
    },
    async (request, reply) => {
      const wrong = refusalOf(request.body);
      if (wrong !== null) return sendFieldErrors(reply, wrong);
      const id = await erase(request);
      const erasure = await findErasure(database, appOf(request).id, id, LATE_DAYS);
      return erasure === null
        ? sendNotFound(reply)
        : reply.code(202).send({ data: erasureResource(erasure) });
    },
  );

  /** One transaction, with its note. @returns the receipt's id. */
  const erase = (request: FastifyRequest & { readonly body: PersonBody }): Promise<number> =>
    database.transaction(async (sql) => {
      const { id: appId } = appOf(request);
      const { id, found } = await erasePerson(sql, appId, request.body);
      const [namedBy = 'endpoint'] = namesOf(request.body);
      const detail = { named_by: namedBy, subscriptions: found };
      await noteChange(sql, actorOf(request), { action: 'person.erased', subjectId: id, appId, detail });
      return id;
    });
}

function receiptRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.get(
    '/apps/:identifier/people/erasures/:erasure_id',
    {
      config,
      schema: {
        tags,
        summary: 'Show the receipt of an erasure',
        operationId: 'getErasure',
        security,
        params: receiptParams,
        response: appAnswers({ 200: dataOf(erasureSchema) }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.erasure_id);
      const erasure = id === null ? null : await findErasure(database, appOf(request).id, id, LATE_DAYS);
      return erasure === null ? sendNotFound(reply) : { data: erasureResource(erasure) };
    },
  );
}
