// tier: postgres
import { afterAll, expect, it } from 'vitest';
import { blocksOf } from '../../../guide/markdown.ts';
import { openCampaignStand } from './stand.ts';

const bodies = blocksOf('api/docs/campaigns.md')
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text) as { readonly name: string; readonly plan: { readonly kind: string } });

const stand = await openCampaignStand();
afterAll(() => stand.close());

it('has an example of each kind', () => {
  expect(bodies.map(({ plan }) => plan.kind)).toEqual(['ab_test', 'local_time', 'recurring', 'feed']);
});

it.each(bodies.map((body) => [body.name, body] as const))(
  'takes “%s” as it is written there',
  async (_name, body) => {
    const created = await stand.call('POST', '/campaigns', body);
    expect([created.statusCode, created.json().errors]).toEqual([201, undefined]);
    // The feed of the example is invented, and a preview reads it.
    if (body.plan.kind === 'feed') return;
    const preview = await stand.call('POST', '/campaigns/preview', { plan: body.plan });
    expect([preview.statusCode, preview.json().errors]).toEqual([200, undefined]);
  },
);
