import { sendNotFound } from '../../../engine/kit/http/problem.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { deliveryParams, parseDeliveryId } from '../deliveries/params.ts';
import { appOf } from '../own-app.ts';
import { readTestResults } from './results.ts';
import { testResultsSchema } from './schema.ts';

export function resultsRoute(scope: Scope, { database, analytics }: Using<'database' | 'analytics'>): void {
  scope.get(
    '/apps/:identifier/deliveries/:delivery_id/test-results',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags: ['Tests'],
        summary: 'Read how a test went',
        operationId: 'getTestResults',
        description: 'In each of its browsers; a delivery that is no test has none.',
        security,
        params: deliveryParams,
        response: appAnswers({ 200: dataOf(testResultsSchema) }),
      },
    },
    async (request, reply) => {
      const id = parseDeliveryId(request.params.delivery_id);
      const given = { sql: database, analytics, log: request.log };
      const data = id === null ? null : await readTestResults(given, appOf(request).id, id);
      return data === null ? sendNotFound(reply) : { data };
    },
  );
}
