import { Type } from 'typebox';
import { LEAST_PRUNE_DAYS, MOST_PRUNE_DAYS } from '../../../../engine/contract/pruning.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { nullable } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { whileWaiting } from '../../../reads/reads.ts';
import { appOf } from '../../own-app.ts';
import { appParams } from '../routes.ts';
import { countUnreachable } from './count-unreachable.ts';

const DEFAULT_DAYS = 180;

const unreachableSchema = Type.Object(
  {
    days: Type.Integer(),
    count: Type.Integer({ description: 'Subscribed still.' }),
    exact: Type.Boolean({
      description: 'False: counted in 524,288 subscriptions spread evenly over the app, and scaled up.',
    }),
    displays_known: Type.Boolean({
      description:
        'False: no browser reported any notification in that time. Then nobody is known to be unreachable, and nobody is pruned.',
    }),
    browsers: Type.Array(
      Type.Object({
        browser: nullable<string>({ type: 'string', description: 'Null: not known.' }),
        count: Type.Integer(),
      }),
      { description: 'The one with the most first.' },
    ),
  },
  {
    title: 'Unreachable',
    examples: [
      {
        days: 180,
        count: 8_214,
        exact: true,
        displays_known: true,
        browsers: [
          { browser: 'Chrome', count: 7_905 },
          { browser: 'Safari', count: 309 },
        ],
      },
    ],
  },
);

/** The count before an app switches pruning on. */
export function unreachableRoute(scope: Scope, { reads, analytics }: Using<'reads' | 'analytics'>): void {
  scope.get(
    '/apps/:identifier/unreachable',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags: ['Apps'],
        summary: 'Count readers who were never reachable',
        operationId: 'countUnreachable',
        description:
          'Whom `prune_unreachable_days` would unsubscribe: subscribed for longer, sent to in that time, and without a visit, a click or a display. Readers of clients that send no `browserSecret` are never among them, because they cannot prove a display.',
        security,
        params: appParams,
        querystring: Type.Object({
          days: Type.Optional(
            Type.Integer({
              minimum: LEAST_PRUNE_DAYS,
              maximum: MOST_PRUNE_DAYS,
              description: `Those of the app’s setting when left out; where it is off, ${DEFAULT_DAYS}.`,
            }),
          ),
        }),
        response: appAnswers({ 200: dataOf(unreachableSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
      const days = request.query.days ?? app.prune_unreachable_days ?? DEFAULT_DAYS;
      const data = await reads.pass(asked, (query) => countUnreachable({ query, analytics }, app.id, days));
      return { data };
    },
  );
}
