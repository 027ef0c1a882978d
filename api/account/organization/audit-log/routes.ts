import { Type } from 'typebox';
import { sendFieldErrors } from '../../../../engine/kit/http/problem.ts';
import { type AuditAction, auditActions } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { ownerOf } from '../../../auth/owner.ts';
import {
  dayFilter,
  idField,
  nullable,
  nullableText,
  parseDay,
  timeField,
  timestamp,
} from '../../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import { whileWaiting } from '../../../reads/reads.ts';
import { accountAnswers, organizationQuery, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { type AuditRow, listAudit } from './store.ts';

const action = Type.Unsafe<AuditAction>({
  type: 'string',
  enum: [...auditActions],
  description: 'The action.',
});

const entrySchema = Type.Object(
  {
    id: Type.Integer(),
    at: timeField,
    action,
    subject_id: Type.String({
      description: 'The subject of the change: an app’s identifier, otherwise its number.',
    }),
    app: nullable<string>({ type: 'string', description: 'Identifier of the app it belongs to.' }),
    user_id: nullable<number>({
      type: 'integer',
      description: 'The author; null for the command line and the service itself.',
    }),
    user_email: nullable<string>({ type: 'string', description: 'As it was then.' }),
    token_id: nullable<number>({ type: 'integer', description: 'The API token used.' }),
    via: Type.Unsafe<AuditRow['via']>({ type: 'string', enum: ['token', 'session', 'command', 'service'] }),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Details beside the subject.',
    }),
    request_id: nullableText,
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 311,
        at: '2026-01-31T12:00:00+00:00',
        action: 'token.created',
        subject_id: '12',
        app: null,
        user_id: 7,
        user_email: 'ada@example.com',
        token_id: null,
        via: 'session',
        detail: { name: 'Editorial system', abilities: ['apps:read'] },
        request_id: '5f0c6f0e-6b0a-4c0e-9d5b-2f4f0a6c1b11',
      },
    ],
  },
);

const auditQuery = Type.Object({
  action: Type.Optional(action),
  user_id: Type.Optional(idField('Only changes of this user.')),
  since: Type.Optional(dayFilter('A day, from its start, or a time.')),
  until: Type.Optional(dayFilter('A day, to its end, or a time.')),
  ...organizationQuery,
  ...pageFields,
});

export function auditLogRoutes(scope: Scope, { database, reads, publicBaseUrl }: AccountParts): void {
  scope.get(
    '/audit-log',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'List changes',
        operationId: 'listAuditLog',
        description: 'Newest first.',
        security,
        querystring: auditQuery,
        response: accountAnswers({ 200: pageOf(entrySchema) }),
      },
    },
    async (request, reply) => {
      const { query } = request;
      const chosen = await ownerOf(database, callerOf(request), query);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const page = pageOfQuery(query);
      const filter = {
        organizationId: chosen.organizationId,
        action: query.action ?? null,
        userId: query.user_id ?? null,
        since: parseDay(query.since ?? '')?.from ?? null,
        until: parseDay(query.until ?? '')?.until ?? null,
      };
      const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
      const { rows, total } = await reads.pass(asked, (query) =>
        query((sql) => listAudit(sql, filter, page)),
      );
      return paginate(rows.map(entryOf), total, page, addressOf(request, publicBaseUrl));
    },
  );
}

const entryOf = (row: AuditRow) => ({ ...row, at: timestamp(row.at) });
