import { Type } from 'typebox';
import { sendNotFound } from '../../../engine/kit/http/problem.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timeField, timestamp } from '../../http/fields.ts';
import { baseOf } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { createPreferenceLinks, LINK_DAYS } from '../../shared/preferences/link.ts';
import { appOf } from '../own-app.ts';
import { subscriptionParams } from '../subscriptions/params.ts';
import { findSeq } from '../subscriptions/store.ts';

const linkSchema = Type.Object(
  { url: Type.String({ documented: { format: 'uri' } }), expires_at: timeField },
  {
    title: 'PreferencesLink',
    examples: [
      {
        url: 'https://push.example.com/preferences/AAAAKgAAAAdpfhYkZ1YxAAAAKgAAAAdpfhYk',
        expires_at: '2026-07-30T12:00:00+00:00',
      },
    ],
  },
);

export function preferencesLinkRoute(scope: Scope, deps: Using<'database' | 'masterKey' | 'config'>): void {
  const links = createPreferenceLinks(deps.masterKey);
  scope.post(
    '/apps/:identifier/subscriptions/:subscription_id/preferences-link',
    {
      config: { ability: 'subscriptions:write' },
      schema: {
        tags: ['Subscriptions'],
        summary: 'Make a link to a reader’s preferences',
        operationId: 'createPreferencesLink',
        description: `For example for the footer of a newsletter. Whoever opens it within ${LINK_DAYS} days may change what this one subscription gets: categories, a cap of the reader’s own, a pause, quiet hours, unsubscribe. So send it to nobody but its reader. No body is sent.`,
        security,
        params: subscriptionParams,
        response: appAnswers({ 201: dataOf(linkSchema) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.subscription_id);
      if (id === null || (await findSeq(deps.database, appId, id)) === null) return sendNotFound(reply);
      const { path, untilMs } = links.issue({ appId, subscriptionId: id }, Date.now(), LINK_DAYS);
      const data = {
        url: `${baseOf(request, deps.config)}${path}`,
        expires_at: timestamp(new Date(untilMs)),
      };
      return reply.code(201).header('cache-control', 'no-store').send({ data });
    },
  );
}
