import { Type } from 'typebox';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timestamp } from '../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { createTestLinks, LINK_MINUTES } from '../../shared/test-browsers/link.ts';
import {
  listTestBrowsers,
  lockCandidate,
  MOST_TEST_BROWSERS,
  registerTestBrowser,
  removeTestBrowser,
  renameTestBrowser,
  type StoredTestBrowser,
} from '../../shared/test-browsers/store.ts';
import { appParams } from '../apps/routes.ts';
import { appOf, ownAlone } from '../own-app.ts';
import { resultsRoute } from './results-route.ts';
import {
  type TestBrowserResource,
  testBrowserBody,
  testBrowserChanges,
  testBrowserSchema,
  testLinkSchema,
} from './schema.ts';
import { sendTestRoute } from './send-route.ts';

const tags = ['Tests'];
const browserParams = Type.Object({
  ...appParams.properties,
  test_browser_id: Type.String({ maxLength: 255, description: 'The test browser’s id.', examples: ['3'] }),
});

/** The browsers that an app's team tries notifications on. */
export function testBrowserRoutes(scope: Scope, deps: ApiDeps): void {
  listRoute(scope, deps);
  registerRoute(scope, deps);
  linkRoute(scope, deps);
  renameRoute(scope, deps);
  removeRoute(scope, deps);
  sendTestRoute(scope, deps);
  resultsRoute(scope, deps);
}

function listRoute(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  scope.get(
    '/apps/:identifier/test-browsers',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List test browsers',
        operationId: 'listTestBrowsers',
        description: 'By their names.',
        security,
        params: appParams,
        querystring: Type.Object(pageFields),
        response: appAnswers({ 200: pageOf(testBrowserSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listTestBrowsers(database, appOf(request).id, page);
      return paginate(rows.map(testBrowserResource), total, page, addressOf(request, config.publicBaseUrl));
    },
  );
}

function registerRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.post(
    '/apps/:identifier/test-browsers',
    {
      // A reader whom an author picks would get what nobody has approved: authors have the link.
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Register a test browser',
        operationId: 'registerTestBrowser',
        description: `A subscription of the app, from now on for tests, too. One that is registered already only takes the name. Tests of authors never go to it: their browsers come by the link. At most ${MOST_TEST_BROWSERS} an app.`,
        security,
        params: appParams,
        body: testBrowserBody,
        response: appAnswers({ 201: dataOf(testBrowserSchema) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const actor = actorOf(request);
      const { subscription_id: subscriptionId, name = null } = request.body;
      const ending = await database.transaction(async (sql) => {
        const candidate = await lockCandidate(sql, appId, subscriptionId);
        if (candidate === null) return null;
        const { userId } = actor;
        const registered = await registerTestBrowser(sql, { appId, candidate, name, userId, link: null });
        if (registered.kind === 'registered') {
          const { id, name: called } = registered.browser;
          const detail = { name: called };
          await noteChange(sql, actor, { action: 'test-browser.added', subjectId: id, appId, detail });
        }
        return registered;
      });
      if (ending === null)
        return sendFieldErrors(reply, {
          subscription_id: ['The subscription_id field names no subscription of the app.'],
        });
      if (ending.kind !== 'registered') return sendFieldErrors(reply, { subscription_id: [full] });
      return reply.code(201).send({ data: testBrowserResource(ending.browser) });
    },
  );
}

const full = `The app has ${MOST_TEST_BROWSERS} test browsers: remove some that nobody needs.`;

function linkRoute(scope: Scope, deps: Using<'masterKey'>): void {
  const links = createTestLinks(deps.masterKey);
  scope.post(
    '/apps/:identifier/test-browsers/link',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Make a link that registers a browser',
        operationId: 'createTestBrowserLink',
        description: `For the browser in one’s hand, whose subscription only the site’s own pages know: the SDK of the page that the link leads to registers it, as soon as it is subscribed. Good for one browser and ${LINK_MINUTES} minutes. No body is sent.`,
        security,
        params: appParams,
        response: appAnswers({ 201: dataOf(testLinkSchema) }),
      },
    },
    async (request, reply) => {
      const { id, site_domain: site } = appOf(request);
      const { token, untilMs } = links.issue(id, actorOf(request).userId, Date.now());
      const data = {
        url: `${site}/#broadside-test=${token}`,
        token,
        expires_at: timestamp(new Date(untilMs)),
      };
      // It lets a browser in: kept by no cache.
      return reply.code(201).header('cache-control', 'no-store').send({ data });
    },
  );
}

function renameRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.patch(
    '/apps/:identifier/test-browsers/:test_browser_id',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Rename a test browser',
        operationId: 'renameTestBrowser',
        description: 'An author’s own alone; another one is not found.',
        security,
        params: browserParams,
        body: testBrowserChanges,
        response: appAnswers({ 200: dataOf(testBrowserSchema) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.test_browser_id);
      const actor = actorOf(request);
      const { name } = request.body;
      const owner = ownAlone(request);
      const browser = await database.transaction(async (sql) => {
        const renamed = id === null ? null : await renameTestBrowser(sql, { appId, id, owner }, name);
        if (id === null || renamed === null) return null;
        const detail = { name };
        await noteChange(sql, actor, { action: 'test-browser.renamed', subjectId: id, appId, detail });
        return renamed;
      });
      return browser === null ? sendNotFound(reply) : { data: testBrowserResource(browser) };
    },
  );
}

function removeRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.delete(
    '/apps/:identifier/test-browsers/:test_browser_id',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Remove a test browser',
        operationId: 'removeTestBrowser',
        description:
          'It stays a subscription, and gets no tests any more. An author’s own alone; another one is not found.',
        security,
        params: browserParams,
        response: appAnswers({ 204: Type.Null() }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.test_browser_id);
      const actor = actorOf(request);
      const owner = ownAlone(request);
      const name = await database.transaction(async (sql) => {
        const removed = id === null ? null : await removeTestBrowser(sql, { appId, id, owner });
        if (id === null || removed === null) return null;
        const detail = { name: removed };
        await noteChange(sql, actor, { action: 'test-browser.removed', subjectId: id, appId, detail });
        return removed;
      });
      return name === null ? sendNotFound(reply) : reply.code(204).send(null);
    },
  );
}

const testBrowserResource = (browser: StoredTestBrowser): TestBrowserResource => ({
  ...browser,
  registered_at: timestamp(browser.registered_at),
});
