import { type Static, Type } from 'typebox';
import { withExplainers } from '../../../engine/kit/http/rules.ts';
import { nullable } from '../../http/fields.ts';
import { sendFields } from '../deliveries/schema.ts';
import { feedForecast } from './feed-schema.ts';
import { campaignPlan, explainPlan, MAX_VARIANTS } from './plan-schema.ts';

const previewExample = { plan: { kind: 'local_time', at: '2030-11-24T08:00' } };
export const campaignPreviewBody = withExplainers(
  Type.Object(
    {
      plan: campaignPlan,
      variants: Type.Optional(
        Type.Integer({ minimum: 2, maximum: MAX_VARIANTS, description: 'Of a test; 2 when left out.' }),
      ),
      segment_id: sendFields.segment_id,
      delivery_category_id: sendFields.delivery_category_id,
    },
    { title: 'CampaignPreview', examples: [previewExample] },
  ),
  { plan: explainPlan },
);
export type CampaignPreviewBody = Static<typeof campaignPreviewBody>;

export const campaignForecast = Type.Object(
  {
    readers: Type.Integer({ description: 'In the audience now, before the frequency cap.' }),
    steps: Type.Array(
      Type.Object({
        at: nullable<string>({
          type: 'string',
          format: 'date-time',
          description: 'Null: once it is decided.',
        }),
        role: Type.String({ description: 'As `campaign_role` of its delivery begins.' }),
        readers: Type.Integer({ description: 'Of a test, about this many.' }),
        time_zones: Type.Array(Type.String(), { description: 'By local time: those with readers.' }),
      }),
      { description: 'In the order of their times; of a schedule, the next five firings; of a feed, none.' },
    ),
    feed: Type.Union([feedForecast, Type.Null()], { description: 'Of a feed; otherwise null.' }),
  },
  {
    title: 'CampaignForecast',
    examples: [
      {
        readers: 1_204,
        steps: [
          {
            at: '2030-11-24T07:00:00+00:00',
            role: 'zones',
            readers: 1_204,
            time_zones: ['Europe/Berlin', 'Europe/Paris'],
          },
        ],
        feed: null,
      },
    ],
  },
);
export type CampaignForecast = Static<typeof campaignForecast>;
