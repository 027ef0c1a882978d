import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { actorOf } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { ownerOf } from '../../../auth/owner.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, nothing, organizationQuery, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { givesOwnPassword } from '../second-factor/own-password.ts';
import { changeProvider, removeProvider } from './change-provider.ts';
import { explainName } from './provider-name.ts';
import { providerBody, providerPageSchema, removeProviderBody, triedSchema, tryBody } from './schema.ts';
import { findProviderOf, type StoredProvider } from './store.ts';
import { tryProvider } from './try-provider.ts';
import { logInPageOf, redirectUriOf } from './uris.ts';

/** The provider of an organization. Whoever sets it decides who gets in, so a change takes the password again. */
export function providerSettingsRoutes(scope: Scope, parts: AccountParts): void {
  readRoute(scope, parts);
  changeRoute(scope, parts);
  removeRoute(scope, parts);
  tryRoute(scope, parts);
}

function readRoute(scope: Scope, parts: AccountParts): void {
  scope.get(
    '/provider',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Read the organization’s OpenID provider',
        operationId: 'getIdentityProvider',
        description: 'Never with its secret.',
        security,
        querystring: Type.Object(organizationQuery),
        response: accountAnswers({ 200: dataOf(providerPageSchema) }),
      },
    },
    async (request, reply) => {
      const organizationId = await chosenOf(parts, request, reply, request.query);
      if (organizationId === null) return reply;
      return { data: await pageOf(parts, request, organizationId) };
    },
  );
}

function changeRoute(scope: Scope, parts: AccountParts): void {
  scope.put(
    '/provider',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Set the organization’s OpenID provider',
        operationId: 'changeIdentityProvider',
        description:
          'It opens accounts of this organization alone, and none of a super-admin. Another issuer or client, and switching it off, end the sessions that it began.',
        security,
        body: withRules(providerBody, [notBlank('name'), notBlank('client_id'), notBlank('groups_claim')]),
        response: accountAnswers({ 200: dataOf(providerPageSchema) }),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const organizationId = await chosenOf(parts, request, reply, body);
      if (organizationId === null) return reply;
      if (body.email_domains !== undefined && callerOf(request).role !== 'super-admin')
        return sendFieldErrors(reply, {
          email_domains: ['The email_domains field may be given by super-admins only.'],
        });
      const wrongName = explainName(body.name, parts.installation);
      if (wrongName !== null) return sendFieldErrors(reply, { name: [wrongName] });
      if (!(await givesOwnPassword(parts, request, reply, body.current_password))) return reply;
      const errors = await changeProvider(parts, {
        organizationId,
        actor: { ...actorOf(request), organizationId },
        name: body.name.trim(),
        issuer: body.issuer,
        clientId: body.client_id.trim(),
        clientSecret: body.client_secret ?? null,
        enabled: body.enabled,
        makesUsers: body.makes_users,
        groupsClaim: body.groups_claim.trim(),
        adminGroups: body.admin_groups,
        memberGroups: body.member_groups,
        emailDomains: domainsOf(body.email_domains),
      });
      if (errors !== null) return sendFieldErrors(reply, errors);
      return { data: await pageOf(parts, request, organizationId) };
    },
  );
}

const domainsOf = (given: readonly string[] | undefined): string[] | null =>
  given === undefined ? null : [...new Set(given.map((domain) => domain.toLowerCase()))];

function removeRoute(scope: Scope, parts: AccountParts): void {
  scope.post(
    '/provider/remove',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Remove the organization’s OpenID provider',
        operationId: 'removeIdentityProvider',
        description:
          'Ends the sessions that it began. Users stay; those without a password need a link to one.',
        security,
        body: removeProviderBody,
        response: accountAnswers({ 204: nothing }),
      },
    },
    async (request, reply) => {
      const organizationId = await chosenOf(parts, request, reply, request.body);
      if (organizationId === null) return reply;
      if (!(await givesOwnPassword(parts, request, reply, request.body.current_password))) return reply;
      await removeProvider(parts.database, organizationId, { ...actorOf(request), organizationId });
      return reply.code(204).send(null);
    },
  );
}

function tryRoute(scope: Scope, parts: AccountParts): void {
  scope.post(
    '/provider/try',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Try the organization’s OpenID provider',
        operationId: 'tryIdentityProvider',
        description: 'As it is saved; nobody is logged in. 404: there is none.',
        security,
        body: tryBody,
        response: accountAnswers({ 200: dataOf(triedSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const organizationId = await chosenOf(parts, request, reply, request.body);
      if (organizationId === null) return reply;
      const provider = await findProviderOf(parts.database, parts.sealer, organizationId);
      if (provider === null) return sendNotFound(reply);
      const redirectUri = redirectUriOf(request, parts.publicBaseUrl, organizationId);
      return { data: { faults: await tryProvider(provider, parts.providerFetch, redirectUri) } };
    },
  );
}

/** Null where the request was answered. */
async function chosenOf(
  { database }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { readonly organization_id?: number },
): Promise<OrganizationId | null> {
  const chosen = await ownerOf(database, callerOf(request), given);
  if (chosen.kind === 'owner') return chosen.organizationId;
  sendFieldErrors(reply, chosen.errors);
  return null;
}

async function pageOf(
  { database, sealer, publicBaseUrl }: AccountParts,
  request: FastifyRequest,
  organizationId: OrganizationId,
) {
  const provider = await findProviderOf(database, sealer, organizationId);
  const page = logInPageOf(request, publicBaseUrl);
  return {
    provider: provider === null ? null : resourceOf(provider, page),
    redirect_uri: redirectUriOf(request, publicBaseUrl, organizationId),
    log_out_uri: page,
  };
}

const resourceOf = (provider: StoredProvider, page: string) => ({
  name: provider.name,
  issuer: provider.issuer,
  client_id: provider.clientId,
  enabled: provider.enabled,
  makes_users: provider.makesUsers,
  groups_claim: provider.groups.claim,
  admin_groups: [...provider.groups.admin],
  member_groups: [...provider.groups.member],
  email_domains: [...provider.emailDomains],
  log_in_url: `${page}?organization=${provider.key}`,
});
