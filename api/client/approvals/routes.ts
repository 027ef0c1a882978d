import { sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId } from '../../http/fields.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { campaignParams } from '../campaigns/params.ts';
import { campaignResource } from '../campaigns/resource.ts';
import { campaignSchema } from '../campaigns/schema.ts';
import { deliveryParams, parseDeliveryId } from '../deliveries/params.ts';
import { deliveryResource } from '../deliveries/resource.ts';
import { deliverySchema } from '../deliveries/schema.ts';
import { sendRefusal } from '../deliveries/send-refusal.ts';
import { appOf, appRoleOf } from '../own-app.ts';
import { createDecideCampaign } from './decide-campaign.ts';
import { createDecideDelivery } from './decide-delivery.ts';
import { decisionBody } from './schema.ts';

const description = `Where the app asks for a second person (\`approval\`), what goes to readers waits until somebody who did
not write it approves it; a change makes it wait again. Approved, it starts at its time, or now where that has passed; quiet
hours are those of then. Authors, and versions that were changed since, are refused with 422.`;

export function approvalRoutes(
  scope: Scope,
  { database, wakeRelay, config }: Using<'database' | 'wakeRelay' | 'config'>,
): void {
  const { breakingPerDay } = config;
  const decideDelivery = createDecideDelivery({ database, wakeRelay, breakingPerDay });
  const decideCampaign = createDecideCampaign(database);

  scope.post(
    '/apps/:identifier/deliveries/:delivery_id/approval',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Approve or decline a delivery',
        operationId: 'decideDelivery',
        description,
        security,
        params: deliveryParams,
        body: decisionBody,
        response: appAnswers({ 200: dataOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null) return sendNotFound(reply);
      const { body } = request;
      const role = appRoleOf(request);
      const ending = await decideDelivery({ app: appOf(request), id, actor: actorOf(request), role, body });
      if (ending.kind !== 'decided') return sendRefusal(reply, ending);
      return { data: deliveryResource(ending.delivery, 0) };
    },
  );

  scope.post(
    '/apps/:identifier/campaigns/:campaign_id/approval',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags: ['Campaigns'],
        summary: 'Approve or decline a campaign',
        operationId: 'approveCampaign',
        description,
        security,
        params: campaignParams,
        body: decisionBody,
        response: appAnswers({ 200: dataOf(campaignSchema) }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.campaign_id);
      if (id === null) return sendNotFound(reply);
      const { body } = request;
      const ending = await decideCampaign({ app: appOf(request), id, actor: actorOf(request), body });
      if (ending.kind !== 'decided') return sendRefusal(reply, ending);
      return { data: campaignResource(ending.campaign) };
    },
  );
}
