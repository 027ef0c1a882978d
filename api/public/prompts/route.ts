import { Type } from 'typebox';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { etagOf, isKnown } from '../../../engine/kit/http/send-compressed.ts';
import type { Scope } from '../../http/scope.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { appOf, hideDetail, publicAnswers, publicHeaders, sendInvalid, sendWrongOrigin } from '../answers.ts';
import { createBatcher } from '../beacons/batcher.ts';
import { createCache } from '../cache.ts';
import { type PublicPrompt, promptEventBody, publicPromptsSchema } from './schema.ts';
import { countReports, type PromptReport, readPublicPrompt } from './store.ts';

const CACHE_SECONDS = 60;
/** In this process: after a change pages have the old prompt for both times together. */
const KEEP_MS = 10_000;
const MAX_APPS = 2_000;

const { 200: _200, ...refusals } = publicAnswers;
const { 413: _413, 422: _422, ...reading } = refusals;

export function promptRoutes(scope: Scope, deps: ApiDeps): void {
  settingsRoute(scope, deps);
  eventRoute(scope, deps);
}

function settingsRoute(scope: Scope, { database }: Using<'database'>): void {
  const remember = createCache<{ readonly prompt: PublicPrompt | null; readonly etag: string }>({
    maxEntries: MAX_APPS,
    keepMs: KEEP_MS,
  });
  scope.get(
    '/prompts',
    {
      schema: {
        tags: ['Public'],
        summary: 'Read how this site asks its readers',
        operationId: 'publicPrompts',
        description: 'Changes follow within two minutes. 304 where `If-None-Match` names the current answer.',
        headers: publicHeaders,
        response: {
          ...reading,
          200: publicPromptsSchema,
          304: Type.Null({ description: 'It has not changed.' }),
        },
      },
    },
    async (request, reply) => {
      const app = appOf(request, undefined);
      if (app === null) return sendWrongOrigin(reply);
      const { prompt, etag } = await remember(String(app.id), async () => {
        const prompt = await readPublicPrompt(database, app.id);
        return { prompt, etag: etagOf(Buffer.from(JSON.stringify(prompt))) };
      });
      reply.header('cache-control', `private, max-age=${CACHE_SECONDS}`).header('etag', etag);
      reply.header('vary', 'Origin, X-App-Id');
      return isKnown(request.headers['if-none-match'], etag) ? reply.code(304).send(null) : { prompt };
    },
  );
}

/** Reports of a second go into one statement: a busy site's would queue for one row. */
const DELAY_MS = 1_000;
const MAX_SIZE = 1_000;
const MAX_HELD = 8_192;

function eventRoute(scope: Scope, { database }: Using<'database'>): void {
  const reports = createBatcher<PromptReport>({
    sizeOf: () => 1,
    maxSize: MAX_SIZE,
    maxHeld: MAX_HELD,
    delayMs: DELAY_MS,
    maxFlushes: 1,
    clock: systemClock,
    flush: (batch) => countReports(database, batch),
    onAway: (err, count) => scope.log.warn({ err, count }, 'reports of prompts are refused for now'),
  });
  scope.post(
    '/prompt-event',
    {
      schema: {
        tags: ['Public'],
        summary: 'Count what happened to a prompt',
        operationId: 'promptEvent',
        description:
          'Of a round that is over, or a variant that is not there, nothing is counted. Nothing is kept of the browser.',
        headers: publicHeaders,
        body: promptEventBody,
        response: { ...refusals, 204: Type.Null({ description: 'It is counted.' }) },
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { appId, promptVariant, event } = request.body;
      const app = appOf(request, appId);
      if (app === null) return sendInvalid(reply);
      const ending = await reports.submit({ appId: app.id, promptVariant, event });
      return ending === 'stored' ? reply.code(204).send(null) : sendUnavailable(reply);
    },
  );
}
