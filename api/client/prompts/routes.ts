import { actorOf, noteChange } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { timestampOrNull } from '../../http/fields.ts';
import type { Scope } from '../../http/scope.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { promptResultsSchema, promptsBody, promptsSchema } from '../../shared/prompts/schema.ts';
import { readPrompts, type StoredPrompts, settingsOf, writePrompts } from '../../shared/prompts/store.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { readPromptResults } from './results.ts';

const tags = ['Apps'];
const url = '/apps/:identifier/prompts';

/** How a site asks its readers, and how that does. */
export function promptRoutes(scope: Scope, deps: ApiDeps): void {
  readRoutes(scope, deps);
  writeRoute(scope, deps);
}

function readRoutes(scope: Scope, { database }: Using<'database'>): void {
  scope.get(
    url,
    {
      config: { ability: 'apps:read' },
      schema: {
        tags,
        summary: 'Read how readers are asked',
        operationId: 'getPrompts',
        description: 'By the SDK, on pages that name no prompt of their own.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(promptsSchema) }),
      },
    },
    async (request) => ({ data: promptsResource(await readPrompts(database, appOf(request).id)) }),
  );
  scope.get(
    `${url}/results`,
    {
      config: { ability: 'analytics:read' },
      schema: {
        tags,
        summary: 'Compare two prompts',
        operationId: 'getPromptResults',
        description:
          'Of the current round. What was shown, accepted, granted and dismissed is what browsers say, and can be invented by strangers; new subscriptions are bounded as all are.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(promptResultsSchema) }),
      },
    },
    async (request) => ({ data: await readPromptResults(database, appOf(request).id) }),
  );
}

function writeRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.put(
    url,
    {
      config: { ability: 'apps:write' },
      schema: {
        tags,
        summary: 'Set how readers are asked',
        operationId: 'setPrompts',
        description:
          'The body states all of it: a field that is left out takes its default. Pages follow within two minutes. Other variants begin a new round of counts.',
        security,
        params: appParams,
        body: promptsBody,
        response: appAnswers({ 200: dataOf(promptsSchema) }),
      },
    },
    async (request) => {
      const { id: appId, identifier } = appOf(request);
      const settings = settingsOf(request.body);
      const stored = await database.transaction(async (sql) => {
        const written = await writePrompts(sql, appId, settings);
        const detail = { enabled: settings.enabled, round: written.round };
        await noteChange(sql, actorOf(request), {
          action: 'prompts.updated',
          subjectId: identifier,
          ...{ appId, detail },
        });
        return written;
      });
      return { data: promptsResource(stored) };
    },
  );
}

const promptsResource = ({ variants, show_on, hide_on, updated_at, ...stored }: StoredPrompts) => ({
  ...stored,
  variants: [...variants],
  show_on: [...show_on],
  hide_on: [...hide_on],
  updated_at: timestampOrNull(updated_at),
});
