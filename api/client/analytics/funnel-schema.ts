import { type Static, Type } from 'typebox';

const displayed = Type.Integer({
  description: 'Readers whose browser showed it, each once; a click or close counts, too.',
});
const clicked = Type.Integer({
  description: 'Of those: readers who clicked it or one of its buttons, each once.',
});
const closed = Type.Integer({ description: 'Of those: readers who closed it and did not click.' });

const unproven = Type.Object(
  { displayed: Type.Integer(), clicked: Type.Integer(), closed: Type.Integer() },
  {
    description:
      'Claims without the proof of a browser that was sent to, beyond the readers counted above: with them never more than accepted.',
  },
);

const funnelCounts = {
  accepted: Type.Integer({ description: 'Readers whose push service took it.' }),
  displayed,
  clicked,
  closed,
  unproven,
};

export const funnelSchema = Type.Object(
  {
    ...funnelCounts,
    displayed_rate: Type.Number({ description: 'Percent of accepted.' }),
    clicked_rate: Type.Number({ description: 'Percent of displayed.' }),
    closed_rate: Type.Number({ description: 'Percent of displayed.' }),
  },
  { title: 'Funnel' },
);
export type Funnel = Static<typeof funnelSchema>;

export const funnelExample: Funnel = {
  accepted: 116_011,
  displayed: 92_808,
  clicked: 4_640,
  closed: 30_112,
  unproven: { displayed: 12, clicked: 3, closed: 0 },
  displayed_rate: 80,
  clicked_rate: 5,
  closed_rate: 32.45,
};

const DAY = 'A delivery counts on the day it was due: of its scheduled_at, otherwise its created_at.';

export const funnelStatsSchema = Type.Object(
  {
    period_days: Type.Integer({ description: 'The days asked for.' }),
    funnel_by_day: Type.Array(
      Type.Object({ date: Type.String({ format: 'date', description: 'In UTC.' }), ...funnelCounts }),
      { description: `One entry a day of the period, oldest first. ${DAY}` },
    ),
    totals: funnelSchema,
  },
  {
    title: 'FunnelStatistics',
    examples: [
      {
        period_days: 1,
        funnel_by_day: [
          {
            date: '2026-01-31',
            accepted: 116_011,
            displayed: 92_808,
            clicked: 4_640,
            closed: 30_112,
            unproven: funnelExample.unproven,
          },
        ],
        totals: funnelExample,
      },
    ],
  },
);
export type FunnelStats = Static<typeof funnelStatsSchema>;
