import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { lockOrganization } from '../../../auth/locks.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId, timestamp, timestampOrNull } from '../../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import { createLetterLimits } from '../../emails/letter-limits.ts';
import { accountAnswers, nothing, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { askToConfirm, isConfirmed } from './confirm-address.ts';
import { confirmAlertAddressRoute } from './confirm-routes.ts';
import { makeChannel } from './make-channel.ts';
import { alertSchema, channelBody, channelChanges, channelSchema, newChannelSchema } from './schema.ts';
import {
  countRecentTests,
  deleteChannel,
  findAlert,
  findChannel,
  insertTest,
  listAlerts,
  listChannels,
  type StoredAlert,
  type StoredChannel,
  updateChannel,
} from './store.ts';

/** Of one organization in a minute: each sends something to somebody. */
const TESTS_PER_MINUTE = 6;
const SETTINGS = 'set SMTP_URL, MAIL_FROM and PUBLIC_BASE_URL.';
const config = { access: 'admin' } as const;
const params = Type.Object({
  channel_id: Type.String({ maxLength: 255, description: 'The channel’s id.', examples: ['5'] }),
});
const alertParams = Type.Object({
  alert_id: Type.String({ maxLength: 255, description: 'The alert’s id.', examples: ['31'] }),
});

/** Where an organization gets its alerts, and which there were. */
export function alertRoutes(scope: Scope, parts: AccountParts): void {
  channelRoutes(scope, parts);
  changeRoutes(scope, parts);
  confirmAlertAddressRoute(scope, parts);
  historyRoutes(scope, parts);
}

function channelRoutes(scope: Scope, parts: AccountParts): void {
  const { database, publicBaseUrl } = parts;

  scope.get(
    '/alert-channels',
    {
      config,
      schema: {
        tags,
        summary: 'List alert channels',
        operationId: 'listAlertChannels',
        security,
        querystring: Type.Object(pageFields),
        response: accountAnswers({ 200: pageOf(channelSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listChannels(database, callerOf(request).organizationId, page);
      return paginate(rows.map(channelResource), total, page, addressOf(request, publicBaseUrl));
    },
  );

  scope.post(
    '/alert-channels',
    {
      config,
      schema: {
        tags,
        summary: 'Create an alert channel',
        operationId: 'createAlertChannel',
        description: 'Only this answer contains the secret of a webhook.',
        security,
        body: channelBody,
        response: accountAnswers({ 201: dataOf(newChannelSchema) }),
      },
    },
    async (request, reply) => {
      const made = await makeChannel(parts, actorOf(request), request.body);
      if (made.kind === 'refused') return sendFieldErrors(reply, made.errors);
      return reply.code(201).send({ data: { ...channelResource(made.channel), secret: made.secret } });
    },
  );

  scope.get(
    '/alert-channels/:channel_id',
    {
      config,
      schema: {
        tags,
        summary: 'Show an alert channel',
        operationId: 'getAlertChannel',
        security,
        params,
        response: accountAnswers({ 200: dataOf(channelSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.channel_id);
      const channel = id === null ? null : await findChannel(database, callerOf(request).organizationId, id);
      return channel === null ? sendNotFound(reply) : { data: channelResource(channel) };
    },
  );
}

function changeRoutes(scope: Scope, { database, emails }: AccountParts): void {
  const limits = createLetterLimits();

  scope.patch(
    '/alert-channels/:channel_id',
    {
      config,
      schema: {
        tags,
        summary: 'Change an alert channel',
        operationId: 'changeAlertChannel',
        description:
          'Changes what the channel gets, and whether it is enabled. To use another address, create another channel.',
        security,
        params,
        body: channelChanges,
        response: accountAnswers({ 200: dataOf(channelSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const { alert_kinds: kinds, enabled } = request.body;
      const changed = await withOwnChannel(request, async (sql, { id }, organizationId) => {
        const alertKinds = kinds === undefined ? null : [...new Set(kinds)];
        await updateChannel(sql, id, { alertKinds, enabled: enabled ?? null });
        const detail = { alert_kinds: kinds, enabled };
        await noteChange(sql, actorOf(request), { action: 'alert-channel.updated', subjectId: id, detail });
        return findChannel(sql, organizationId, id);
      });
      return changed === null ? sendNotFound(reply) : { data: channelResource(changed) };
    },
  );

  scope.delete(
    '/alert-channels/:channel_id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete an alert channel',
        operationId: 'deleteAlertChannel',
        description: 'Messages that wait for it are not sent.',
        security,
        params,
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const deleted = await withOwnChannel(request, async (sql, { id, kind, address }) => {
        await deleteChannel(sql, id);
        const detail = { kind, address };
        await noteChange(sql, actorOf(request), { action: 'alert-channel.deleted', subjectId: id, detail });
        return id;
      });
      return deleted === null ? sendNotFound(reply) : reply.code(204).send(null);
    },
  );

  scope.post(
    '/alert-channels/:channel_id/test',
    {
      config,
      schema: {
        tags,
        summary: 'Send a test alert',
        operationId: 'testAlertChannel',
        description: `An engine sends it within seconds; read the alert for the receiver’s answer. At most ${TESTS_PER_MINUTE} a minute. An e-mail address must be confirmed first, once: the answer is 409, and an e-mail with a link goes to it. Send the test again after the link was opened.`,
        security,
        params,
        response: accountAnswers({ 201: dataOf(alertSchema), 404: problemSchema, 409: problemSchema }),
      },
    },
    async (request, reply) => {
      const made = await withOwnChannel(request, async (sql, { id, kind, address }, organizationId) => {
        if (kind === 'email' && !(await isConfirmed(sql, organizationId, { id, address })))
          return askFirst(sql, organizationId, { id, address });
        if ((await countRecentTests(sql, organizationId)) >= TESTS_PER_MINUTE) return 'too many';
        const alertId = await insertTest(sql, organizationId, id, randomUUID());
        await noteChange(sql, actorOf(request), { action: 'alert-channel.tested', subjectId: id });
        return findAlert(sql, organizationId, alertId);
      });
      if (made !== null && typeof made === 'object' && 'unconfirmed' in made)
        return reply.code(409).send({ message: made.unconfirmed });
      if (made === 'too many') {
        const message = `At most ${TESTS_PER_MINUTE} test alerts a minute.`;
        return reply.code(429).header('retry-after', '60').send({ message });
      }
      return made === null ? sendNotFound(reply) : reply.code(201).send({ data: alertResource(made) });
    },
  );

  /** Nobody is sent a test who has not said that alerts may come. @returns what the admin does now. */
  async function askFirst(
    sql: Parameters<typeof isConfirmed>[0],
    organizationId: OrganizationId,
    channel: Pick<StoredChannel, 'id' | 'address'>,
  ): Promise<{ readonly unconfirmed: string }> {
    if (emails === null)
      return {
        unconfirmed: `This address is not confirmed, and the e-mail that asks for it cannot be sent: ${SETTINGS}`,
      };
    if (limits.take(organizationId, channel.address) > 0)
      return {
        unconfirmed:
          'Broadside has sent several e-mails to confirm this address. Open the newest one, or try again in an hour.',
      };
    await askToConfirm(sql, emails, channel);
    return {
      unconfirmed: `An e-mail with a link is on its way to ${channel.address}. Open the link, then send the test again.`,
    };
  }

  /** In one transaction, with the organization locked. Null where it has no such channel. */
  function withOwnChannel<Result>(
    request: FastifyRequest<{ Params: { channel_id: string } }>,
    work: (
      sql: Parameters<Parameters<typeof database.transaction>[0]>[0],
      channel: StoredChannel,
      organizationId: ReturnType<typeof callerOf>['organizationId'],
    ) => Promise<Result>,
  ): Promise<Result | null> {
    const { organizationId } = callerOf(request);
    const id = parsePathId(request.params.channel_id);
    return database.transaction(async (sql) => {
      await lockOrganization(sql, organizationId);
      const channel = id === null ? null : await findChannel(sql, organizationId, id);
      return channel === null ? null : work(sql, channel, organizationId);
    });
  }
}

function historyRoutes(scope: Scope, { database, publicBaseUrl }: AccountParts): void {
  scope.get(
    '/alerts',
    {
      config,
      schema: {
        tags,
        summary: 'List alerts',
        operationId: 'listAlerts',
        description: 'Newest first, of the last 90 days, with the state of each send.',
        security,
        querystring: Type.Object(pageFields),
        response: accountAnswers({ 200: pageOf(alertSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listAlerts(database, callerOf(request).organizationId, page);
      return paginate(rows.map(alertResource), total, page, addressOf(request, publicBaseUrl));
    },
  );

  scope.get(
    '/alerts/:alert_id',
    {
      config,
      schema: {
        tags,
        summary: 'Show an alert',
        operationId: 'getAlert',
        security,
        params: alertParams,
        response: accountAnswers({ 200: dataOf(alertSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.alert_id);
      const alert = id === null ? null : await findAlert(database, callerOf(request).organizationId, id);
      return alert === null ? sendNotFound(reply) : { data: alertResource(alert) };
    },
  );
}

const channelResource = (channel: StoredChannel) => ({
  ...channel,
  last_at: timestampOrNull(channel.last_at),
  created_at: timestamp(channel.created_at),
});

const alertResource = (alert: StoredAlert) => ({
  ...alert,
  created_at: timestamp(alert.created_at),
  sends: alert.sends.map((send) => ({
    ...send,
    last_at: send.last_at === null ? null : timestamp(new Date(send.last_at)),
  })),
});
