import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { lockOrganizations } from '../../../auth/locks.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId, shortText, timeField, timestamp } from '../../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import {
  findOrganizationNamed,
  insertOrganization,
  listOrganizations,
  renameOrganization,
  type StoredOrganization,
} from './store.ts';

const organizationSchema = Type.Object(
  { id: Type.Integer(), name: Type.String(), created_at: timeField },
  {
    title: 'Organization',
    examples: [{ id: 2, name: 'Example News', created_at: '2026-01-31T12:00:00+00:00' }],
  },
);
const organizationBody = withRules(
  Type.Object(
    { name: shortText('No two organizations have the same.') },
    { title: 'NewOrganization', examples: [{ name: 'Example News' }] },
  ),
  [notBlank('name')],
);

/** For super-admins, who run the installation. */
export function organizationRoutes(scope: Scope, { database, publicBaseUrl }: AccountParts): void {
  scope.get(
    '/organizations',
    {
      config: { access: 'super-admin' },
      schema: {
        tags,
        summary: 'List all organizations',
        operationId: 'listOrganizations',
        security,
        querystring: Type.Object(pageFields),
        response: accountAnswers({ 200: pageOf(organizationSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listOrganizations(database, page);
      return paginate(rows.map(resourceOf), total, page, addressOf(request, publicBaseUrl));
    },
  );

  scope.post(
    '/organizations',
    {
      config: { access: 'super-admin' },
      schema: {
        tags,
        summary: 'Create an organization',
        operationId: 'createOrganization',
        description: 'Invite its first admin with its `organization_id`.',
        security,
        body: organizationBody,
        response: accountAnswers({ 201: dataOf(organizationSchema) }),
      },
    },
    async (request, reply) => {
      const name = request.body.name.trim();
      const made = await database.transaction(async (sql) => {
        await lockOrganizations(sql);
        if ((await findOrganizationNamed(sql, name)) !== null) return null;
        const organization = await insertOrganization(sql, name);
        await noteChange(
          sql,
          { ...actorOf(request), organizationId: organization.id },
          { action: 'organization.created', subjectId: organization.id, detail: { name } },
        );
        return organization;
      });
      return made === null ? sendTaken(reply) : reply.code(201).send({ data: resourceOf(made) });
    },
  );

  scope.patch(
    '/organizations/:organization_id',
    {
      config: { access: 'super-admin' },
      schema: {
        tags,
        summary: 'Rename an organization',
        operationId: 'renameOrganization',
        security,
        params: Type.Object({
          organization_id: Type.String({
            maxLength: 255,
            description: 'The organization’s id.',
            examples: ['2'],
          }),
        }),
        body: organizationBody,
        response: accountAnswers({ 200: dataOf(organizationSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const name = request.body.name.trim();
      const id = parsePathId(request.params.organization_id);
      const renamed = await database.transaction(async (sql) => {
        await lockOrganizations(sql);
        const holder = await findOrganizationNamed(sql, name);
        if (holder !== null && holder !== id) return 'taken';
        const organization = id === null ? null : await renameOrganization(sql, id, name);
        if (organization === null) return 'missing';
        await noteChange(
          sql,
          { ...actorOf(request), organizationId: organization.id },
          { action: 'organization.renamed', subjectId: organization.id, detail: { name } },
        );
        return organization;
      });
      if (renamed === 'missing') return sendNotFound(reply);
      return renamed === 'taken' ? sendTaken(reply) : { data: resourceOf(renamed) };
    },
  );
}

const sendTaken = (reply: FastifyReply): FastifyReply =>
  sendFieldErrors(reply, { name: ['The name field is the name of another organization.'] });

const resourceOf = ({ id, name, created_at }: StoredOrganization) => ({
  id,
  name,
  created_at: timestamp(created_at),
});
