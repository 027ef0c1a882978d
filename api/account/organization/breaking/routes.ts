import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { sendFieldErrors } from '../../../../engine/kit/http/problem.ts';
import { type AppRole, baseOf, highestOf } from '../../../auth/app-roles.ts';
import { actorOf } from '../../../auth/audit.ts';
import { limitOf, mayBreak, readBreaking } from '../../../auth/breaking.ts';
import { callerOf } from '../../../auth/caller.ts';
import { ownerOf } from '../../../auth/owner.ts';
import { dataOf } from '../../../http/answers.ts';
import { parseDay } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { changeBreaking } from './change.ts';
import { type BreakingResource, breakingBody, breakingQuery, breakingSchema } from './schema.ts';

/** The roles that may send breaking deliveries, and the daily limit: every member may read them, admins set them. */
export function breakingRoutes(scope: Scope, { database, breakingPerDay }: AccountParts): void {
  const read = async (
    id: OrganizationId,
    role: AppRole | null,
    at: Date | null,
  ): Promise<BreakingResource> => {
    const state = await readBreaking(database, id, at);
    const limit = limitOf(state, breakingPerDay);
    return {
      ...state,
      operator_per_day: breakingPerDay,
      limit,
      left: limit === null ? null : Math.max(0, limit - state.used),
      may_send: mayBreak(role, state),
    };
  };

  scope.get(
    '/breaking',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Read the rules for breaking deliveries, and how many are left',
        operationId: 'getBreakingRules',
        security,
        querystring: breakingQuery,
        response: accountAnswers({ 200: dataOf(breakingSchema) }),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const chosen = await ownerOf(database, caller, request.query);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const { day } = request.query;
      const at = day === undefined ? null : (parseDay(day)?.from ?? null);
      return { data: await read(chosen.organizationId, highestOf(caller), at) };
    },
  );

  scope.patch(
    '/breaking',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change the rules for breaking deliveries',
        operationId: 'changeBreakingRules',
        description:
          'Absent fields keep their value. Applies from the next delivery on; earlier ones are still sent.',
        security,
        body: breakingBody,
        response: accountAnswers({ 200: dataOf(breakingSchema) }),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const chosen = await ownerOf(database, caller, request.body);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const { organizationId } = chosen;
      await changeBreaking(database, { ...actorOf(request), organizationId }, request.body);
      return { data: await read(organizationId, baseOf(caller.role), null) };
    },
  );
}
