import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mostBytes } from '../../../engine/adapters/http/most-bytes.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/adapters/http/problem.ts';
import { LATE_DAYS } from '../../../engine/adapters/postgres/removal/removal-store.ts';
import { actorOf, noteChange } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import type { ClientDeps } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { appAnswers, dataOf, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { parsePathId } from '../fields.ts';
import { appOf } from '../own-app.ts';
import type { Scope } from '../scope.ts';
import { erasureResource } from './receipt.ts';
import { erasureSchema, namesOf, type PersonBody, personBody, personSchema } from './schema.ts';
import {
  erasePerson,
  findErasure,
  findPerson,
  insertErasure,
  MOST_SUBSCRIPTIONS,
  readStored,
} from './store.ts';

const tags = ['People'];
const config = { ability: 'subscriptions:write', role: 'admin' } as const;
const receiptParams = Type.Object({
  ...appParams.properties,
  erasure_id: Type.String({ description: 'The receipt’s id.', examples: ['7'] }),
});

/** What the law gives a reader: what is stored about them, and its end. The person is in the body, so in no log. */
export function peopleRoutes(scope: Scope, deps: ClientDeps): void {
  exportRoute(scope, deps);
  eraseRoute(scope, deps);
  receiptRoute(scope, deps);
}

function exportRoute(scope: Scope, { database, analytics, reads }: ClientDeps): void {
  scope.post(
    '/apps/:identifier/people/export',
    {
      bodyLimit: mostBytes(personBody),
      config,
      schema: {
        tags,
        summary: 'Export what is stored about a person',
        operationId: 'exportPerson',
        description:
          'Of one app. For admins; the audit log notes it, without the person. Without ClickHouse it answers 503: half an answer would look like a whole one.',
        security,
        params: appParams,
        body: personBody,
        response: appAnswers({ 200: dataOf(personSchema) }),
      },
    },
    async (request, reply) => {
      const wrong = refusalOf(request.body);
      if (wrong !== null) return sendFieldErrors(reply, wrong);
      const { id: appId, identifier } = appOf(request);
      const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
      const found = await reads.pass(asked, (query) =>
        query(async (sql) => {
          const seqs = await findPerson(sql, appId, request.body);
          return seqs.length > MOST_SUBSCRIPTIONS ? null : readStored(sql, appId, seqs);
        }),
      );
      if (found === null) return sendFieldErrors(reply, tooMany(request.body));
      const idOf = new Map(found.map(({ seq, stored }) => [seq, stored.id]));
      const { attempts, events } =
        found.length === 0
          ? { attempts: [], events: [] }
          : await analytics.personRecord(appId, [...idOf.keys()]);
      await noteChange(database, actorOf(request), {
        action: 'person.exported',
        subjectId: identifier,
        appId,
        detail: { subscriptions: found.length },
      });
      const named = <Row extends { seq: number }>({ seq, ...row }: Row) => ({
        subscription_id: idOf.get(seq) ?? 0,
        ...row,
      });
      return {
        data: {
          subscriptions: found.map(({ stored }) => stored),
          attempts: attempts.map(named),
          events: events.map(named),
        },
      };
    },
  );
}

function eraseRoute(scope: Scope, { database }: ClientDeps): void {
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
          'Of one app, and for good. Postgres is done with the answer; ClickHouse and the log follow, and the receipt says how far they are. A person of whom nothing is stored gets a receipt as well. Their browser keeps its subscription at the push service: unless your site stops calling subscribe for them, it comes back with their next visit.',
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
      if (id === null) return sendFieldErrors(reply, tooMany(request.body));
      const erasure = await findErasure(database, appOf(request).id, id, LATE_DAYS);
      return erasure === null
        ? sendNotFound(reply)
        : reply.code(202).send({ data: erasureResource(erasure) });
    },
  );

  /** One transaction, with its note. @returns the receipt's id; null: too many to be one person. */
  const erase = (request: FastifyRequest & { readonly body: PersonBody }): Promise<number | null> =>
    database.transaction(async (sql) => {
      const { id: appId } = appOf(request);
      const found = await findPerson(sql, appId, request.body);
      if (found.length > MOST_SUBSCRIPTIONS) return null;
      const seqs = await erasePerson(sql, appId, found);
      const [namedBy = 'endpoint'] = namesOf(request.body);
      const id = await insertErasure(sql, appId, namedBy, seqs);
      const detail = { named_by: namedBy, subscriptions: seqs.length };
      await noteChange(sql, actorOf(request), { action: 'person.erased', subjectId: id, appId, detail });
      return id;
    });
}

function receiptRoute(scope: Scope, { database }: ClientDeps): void {
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

function refusalOf(body: PersonBody): Record<string, string[]> | null {
  if (namesOf(body).length === 1) return null;
  return { user_identity: ['Exactly one of user_identity, external_id and endpoint is needed.'] };
}

function tooMany(body: PersonBody): Record<string, string[]> {
  const [name = 'user_identity'] = namesOf(body);
  return {
    [name]: [
      `The ${name} field names more than ${MOST_SUBSCRIPTIONS} subscriptions, which are no one person’s.`,
    ],
  };
}
