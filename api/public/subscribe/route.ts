import { Type } from 'typebox';
import type { Scope } from '../../client/scope.ts';
import type { ApiDeps } from '../../deps.ts';
import { handleError } from '../../plugins/errors.ts';
import { problemSchema } from '../../plugins/problem.ts';
import { InvalidRequest } from '../../plugins/validation.ts';
import { parseSubscription } from './parse-subscription.ts';
import { refused, subscribeBody, subscribed } from './schema.ts';
import { createSubscribe } from './store.ts';

const invalid = { success: false, message: 'Invalid request.' } as const;

export function subscribeRoute(scope: Scope, deps: ApiDeps): void {
  const subscribe = createSubscribe(deps.database);
  scope.post(
    '/subscribe',
    {
      schema: {
        tags: ['Public'],
        headers: Type.Object({
          'x-app-id': Type.Optional(Type.String({ description: 'The app’s identifier.' })),
        }),
        body: subscribeBody,
        response: { 200: subscribed, 403: problemSchema, 422: refused, 503: problemSchema },
      },
      // No detail for strangers: what is wrong with a body is the SDK's business.
      errorHandler: (error, request, reply) =>
        error instanceof InvalidRequest ? reply.code(422).send(invalid) : handleError(error, request, reply),
    },
    async (request, reply) => {
      const { publicApp, body } = request;
      if (publicApp === null) throw new Error('subscribe runs outside the public scope');
      const subscription = parseSubscription(body, publicApp, deps.endpointPolicy);
      if (subscription === null) return reply.code(422).send(invalid);
      await subscribe(publicApp.id, subscription);
      return { success: true } as const;
    },
  );
}
