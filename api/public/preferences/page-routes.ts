import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendTooMany } from '../../../engine/kit/http/problem.ts';
import { checkCharset, checkEscapes, readUtf8 } from '../../../engine/kit/http/utf8.ts';
import type { Using } from '../../ports/deps.ts';
import { createPreferenceLinks, type PreferenceLink } from '../../shared/preferences/link.ts';
import { registerRateLimit } from '../rate-limit.ts';
import { formOf } from './form.ts';
import { type PageLanguage, pageLanguageOf } from './languages.ts';
import { contentSecurityPolicy, invalidPage, preferencesPage } from './page.ts';
import { changeOf } from './read-form.ts';
import { changePreferences, type Preferences, readPreferences } from './store.ts';

interface Route {
  readonly Params: { readonly token: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** Every category ticked, of as many as are shown. */
const BODY_LIMIT_BYTES = 16_384;

/**
 * The page behind a reader's signed address, for browsers with and without script. The address is the authority, and
 * browsers add nothing to a request by themselves: no page elsewhere can post what it does not know, so there is no
 * forged request to guard against.
 */
export async function preferencePages(
  app: FastifyInstance,
  deps: Using<'masterKey' | 'oldMasterKeys' | 'config' | 'database'>,
): Promise<void> {
  const links = createPreferenceLinks(deps.masterKey, deps.oldMasterKeys);
  const linkOf = ({ params }: FastifyRequest<Route>): PreferenceLink | null =>
    links.read(params.token, Date.now());
  await app.register(async (scope) => {
    await registerRateLimit(scope, deps.config.publicRatePerMinute);
    scope.addHook('onRequest', async (request, reply) => {
      if (request.retryAfterSeconds !== null) return sendTooMany(reply, request.retryAfterSeconds);
    });
    const form = { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES } as const;
    scope.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', form, (request, body, done) => {
      checkCharset(request.headers['content-type']);
      const text = readUtf8(body);
      checkEscapes(text);
      done(null, new URLSearchParams(text));
    });

    scope.get<Route>('/preferences/:token', hidden, async (request, reply) => {
      const link = linkOf(request);
      const found = link === null ? null : await readPreferences(deps.database, link);
      return found === null ? sendInvalidLink(request, reply) : sendPage(request, reply, found);
    });

    scope.post<Route>('/preferences/:token', hidden, async (request, reply) => {
      const link = linkOf(request);
      const { body } = request;
      const change = body instanceof URLSearchParams ? changeOf(body) : null;
      if (link === null) return sendInvalidLink(request, reply);
      // Of no form of the page's: it is shown as it was.
      if (change === null) return seeOther(reply, addressOf(request));
      if (!(await changePreferences(deps.database, link, change))) return sendInvalidLink(request, reply);
      return seeOther(reply, addressOf(request, '&saved=1'));
    });
  });
}

/** A page that is loaded again posts nothing twice. */
const seeOther = (reply: FastifyReply, location: string): FastifyReply =>
  reply.code(303).header('location', location).header('cache-control', 'no-store').send();

const hidden = { schema: { hide: true } } as const;

/** Seen from the page, which may be behind a proxy's prefix. */
function addressOf(request: FastifyRequest<Route>, more = ''): string {
  const { params } = request;
  const named = namedIn(request);
  const language = named === undefined ? '' : `&lang=${encodeURIComponent(named)}`;
  const search = `${language}${more}`.slice(1);
  return `${encodeURIComponent(params.token)}${search === '' ? '' : `?${search}`}`;
}

const namedIn = ({ query: { lang } }: FastifyRequest<Route>): string | undefined =>
  typeof lang === 'string' ? lang : undefined;

const languageOf = (request: FastifyRequest<Route>, subscription: string | null): PageLanguage =>
  pageLanguageOf({
    named: namedIn(request),
    accepted: request.headers['accept-language'],
    subscription,
  });

function sendPage(request: FastifyRequest<Route>, reply: FastifyReply, found: Preferences): FastifyReply {
  const page = preferencesPage({
    form: formOf(found, languageOf(request, found.language)),
    siteName: found.site_name,
    siteUrl: found.site_domain,
    subscribed: found.subscribed,
    saved: request.query.saved === '1',
    address: addressOf(request),
  });
  return withHeaders(reply).send(page);
}

const sendInvalidLink = (request: FastifyRequest<Route>, reply: FastifyReply): FastifyReply =>
  withHeaders(reply.code(410)).send(invalidPage(languageOf(request, null)));

const withHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', contentSecurityPolicy)
    // The address lets its reader in: kept by no cache, and passed on to no other page.
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8');
