import { Type } from 'typebox';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { sendFieldErrors } from '../../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { ownerOf } from '../../../auth/owner.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, organizationQuery, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { ruleBody, ruleSchema } from './schema.ts';

/** Whether an organization requires a second factor. */
export function factorRuleRoutes(scope: Scope, { database }: AccountParts): void {
  scope.get(
    '/second-factor',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Read whether the organization requires a second factor',
        operationId: 'getSecondFactorRule',
        security,
        querystring: Type.Object(organizationQuery),
        response: accountAnswers({ 200: dataOf(ruleSchema) }),
      },
    },
    async (request, reply) => {
      const chosen = await ownerOf(database, callerOf(request), request.query);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      return { data: { required: await readRule(database, chosen.organizationId) } };
    },
  );

  scope.put(
    '/second-factor',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Require a second factor, or stop requiring it',
        operationId: 'changeSecondFactorRule',
        description:
          'Applies from the next request on: the sessions of users without one can do nothing but set it up. It does not affect API tokens.',
        security,
        body: ruleBody,
        response: accountAnswers({ 200: dataOf(ruleSchema) }),
      },
    },
    async (request, reply) => {
      const chosen = await ownerOf(database, callerOf(request), request.body);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const { organizationId } = chosen;
      const { required } = request.body;
      await database.transaction(async (sql) => {
        if (!(await writeRule(sql, organizationId, required))) return;
        const change = { subjectId: organizationId, detail: { required } } as const;
        const actor = { ...actorOf(request), organizationId };
        await noteChange(sql, actor, { action: 'organization.second-factor-changed', ...change });
      });
      return { data: { required } };
    },
  );
}

async function readRule(sql: Sql, organizationId: OrganizationId): Promise<boolean> {
  const [row] = await sql.query<{ required: boolean }>(
    `SELECT second_factor_required AS required FROM organizations WHERE id = $1`,
    [organizationId],
  );
  return row?.required ?? false;
}

/** @returns whether it was another one. */
async function writeRule(sql: Sql, organizationId: OrganizationId, required: boolean): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE organizations SET second_factor_required = $2
     WHERE id = $1 AND second_factor_required <> $2 RETURNING id`,
    [organizationId, required],
  );
  return rows.length === 1;
}
