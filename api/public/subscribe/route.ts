import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import type { VisitorOf } from '../../visitor/visitor.ts';
import { appOf, hideDetail, publicAnswers, publicHeaders, sendInvalid } from '../answers.ts';
import { clientOf } from '../rate-limit.ts';
import type { NoteSiteTime } from '../site-time/note.ts';
import { keyNumberOf } from '../vapid-key/key-number.ts';
import type { NoteRefusedHost } from './note-refused-host.ts';
import { parseSubscription } from './parse-subscription.ts';
import { subscribeBody } from './schema.ts';
import { type Subscribe, sendSubmitted } from './submit.ts';

interface Parts {
  readonly subscribe: Subscribe;
  readonly visitorOf: VisitorOf;
  readonly noteRefusedHost: NoteRefusedHost;
  readonly noteSiteTime: NoteSiteTime;
}

export function subscribeRoute(
  scope: Scope,
  deps: Using<'database' | 'endpointPolicy'>,
  { subscribe, visitorOf, noteRefusedHost, noteSiteTime }: Parts,
): void {
  scope.post(
    '/subscribe',
    {
      schema: {
        tags: ['Public'],
        summary: 'Subscribe a browser',
        operationId: 'subscribe',
        description:
          'Stores the browser’s push subscription. Sent again, by the same endpoint or the same `userId`, it updates what is stored; an unsubscribed browser is subscribed again.',
        headers: publicHeaders,
        body: subscribeBody,
        response: publicAnswers,
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { body } = request;
      const app = appOf(request, body.appId);
      const key = app && (await keyNumberOf(deps.database, app, body.vapidKey));
      if (app === null || key === 'unknown') return sendInvalid(reply);
      const subscription = parseSubscription(body, await visitorOf(request), deps.endpointPolicy, key);
      if (subscription === null) {
        noteRefusedHost(request.log, body.subscription.endpoint);
        return sendInvalid(reply);
      }
      const ending = await subscribe(app.id, { ...subscription, client: clientOf(request) });
      if (ending === 'stored') noteSiteTime(app.id, body);
      return sendSubmitted(reply, ending);
    },
  );
}
