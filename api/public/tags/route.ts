import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { MAX_TAGS } from '../../shared/tag-limits.ts';
import { appOf, done, hideDetail, publicAnswers, publicHeaders, sendInvalid } from '../answers.ts';
import { browserNameOf } from '../browser-name.ts';
import { tagsBody } from './schema.ts';
import { writeTags } from './store.ts';

export function tagsRoute(scope: Scope, deps: Using<'database'>): void {
  scope.post(
    '/subscription-tags',
    {
      schema: {
        tags: ['Public'],
        summary: 'Tag a browser’s subscription',
        operationId: 'updateSubscriptionTags',
        description: `Tags that segments can ask for. A subscription has at most ${MAX_TAGS}; a write that would make more is refused as a whole. A \`userId\` or \`browserSecret\` that is not known changes nothing and is answered the same.`,
        headers: publicHeaders,
        body: tagsBody,
        response: publicAnswers,
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { appId, tags } = request.body;
      const app = appOf(request, appId);
      const browser = browserNameOf(request.body);
      if (app === null || browser === null) return sendInvalid(reply);
      const byKey = Object.fromEntries(tags.map(({ key, value }) => [key, value]));
      const ending = await writeTags(deps.database, app.id, browser, byKey);
      return ending === 'too-many' ? sendInvalid(reply) : reply.code(200).send(done);
    },
  );
}
