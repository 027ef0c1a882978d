import { languageOf } from '../../../engine/contract/reader-language.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import type { VisitorOf } from '../../visitor/visitor.ts';
import { appOf, done, hideDetail, publicAnswers, publicHeaders, sendInvalid } from '../answers.ts';
import { browserNameOf } from '../browser-name.ts';
import { clientOf } from '../rate-limit.ts';
import type { NoteRefusedHost } from '../subscribe/note-refused-host.ts';
import { parseSubscription } from '../subscribe/parse-subscription.ts';
import { type Subscribe, sendSubmitted } from '../subscribe/submit.ts';
import { keyNumberOf } from '../vapid-key/key-number.ts';
import { updateBody } from './schema.ts';
import { leave, touch } from './store.ts';

const description = `Updates a browser's subscription.

- With a \`subscription\`: as subscribe. One that is not known is stored: the browser has it, and would hear nothing
  otherwise.
- With \`subscription: null\`: the browser of \`browserSecret\`, otherwise of \`userId\`, is unsubscribed.
- Without one: \`externalIds\` are added to its subscription, whose status stays as it is.

A \`userId\` or \`browserSecret\` that is unknown changes nothing and gets the same answer, so that the answer does not reveal subscribers.`;

interface Parts {
  readonly subscribe: Subscribe;
  readonly visitorOf: VisitorOf;
  readonly noteRefusedHost: NoteRefusedHost;
}

export function updateRoute(
  scope: Scope,
  deps: Using<'database' | 'endpointPolicy'>,
  { subscribe, visitorOf, noteRefusedHost }: Parts,
): void {
  scope.post(
    '/update_subscription',
    {
      schema: {
        tags: ['Public'],
        summary: 'Update a browser’s subscription',
        operationId: 'updateSubscription',
        description,
        headers: publicHeaders,
        body: updateBody,
        response: publicAnswers,
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { appId, subscription, externalIds = {}, timeZone = '', language = '' } = request.body;
      const app = appOf(request, appId);
      if (app === null) return sendInvalid(reply);
      const visitor = await visitorOf(request);
      if (subscription) {
        const body = { ...request.body, subscription };
        const key = await keyNumberOf(deps.database, app, body.vapidKey);
        if (key === 'unknown') return sendInvalid(reply);
        const parsed = parseSubscription(body, visitor, deps.endpointPolicy, key);
        if (parsed === null) {
          noteRefusedHost(request.log, subscription.endpoint);
          return sendInvalid(reply);
        }
        return sendSubmitted(reply, await subscribe(app.id, { ...parsed, client: clientOf(request) }));
      }
      const browser = browserNameOf(request.body);
      // The schema asks for it where there is no subscription.
      if (browser === null) return sendInvalid(reply);
      if (subscription === null) await leave(deps.database, app.id, browser, request.body.revoked);
      else {
        const news = { externalIds, visitor, timeZone: timeZoneOf(timeZone), language: languageOf(language) };
        await touch(deps.database, app.id, browser, news);
      }
      return reply.code(200).send(done);
    },
  );
}
