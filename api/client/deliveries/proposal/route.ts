import { Type } from 'typebox';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { httpUrl, nullable } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { appParams } from '../../apps/routes.ts';
import { createPropose } from './propose.ts';

const proposalBody = Type.Object(
  { url: httpUrl('The page that a notification is to lead to.') },
  { title: 'ProposalWish', examples: [{ url: 'https://news.example.com/briefing' }] },
);

const proposalSchema = Type.Object(
  {
    title: nullable<string>({
      type: 'string',
      description: 'Of its og:title, else its title; 255 characters at most.',
    }),
    image_url: nullable<string>({
      type: 'string',
      format: 'uri',
      description: 'Its og:image: not fetched, so it may be too large for a notification.',
    }),
  },
  {
    title: 'Proposal',
    examples: [
      { title: 'The three stories to know today', image_url: 'https://news.example.com/briefing.jpg' },
    ],
  },
);

/** Reads a page for whoever writes a notification about it. It changes nothing: no entry of the audit log. */
export function proposalRoute(scope: Scope, { publicAddresses }: Using<'publicAddresses'>): void {
  const propose = createPropose(publicAddresses);
  scope.post(
    '/apps/:identifier/deliveries/proposal',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Propose a title and an image',
        operationId: 'proposeDelivery',
        description:
          'Fetches the page from the public internet, at most its first 512 KB within 5 seconds, and reads what it says ' +
          'of itself. Both fields are null where it says nothing, cannot be reached, or is no page.',
        security,
        params: appParams,
        body: proposalBody,
        response: appAnswers({ 200: dataOf(proposalSchema) }),
      },
    },
    async (request, reply) => {
      const proposal = await propose(callerOf(request).organizationId, request.body.url);
      return proposal === 'busy' ? sendUnavailable(reply) : { data: proposal };
    },
  );
}
