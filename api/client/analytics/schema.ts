import { type Static, Type } from 'typebox';

export const overviewSchema = Type.Object({
  total_subscribers: Type.Integer(),
  active_subscribers: Type.Integer(),
  total_deliveries: Type.Integer(),
  total_clicks: Type.Integer(),
  avg_click_rate: Type.Number({ description: 'Percent: all clicks of all that was accepted.' }),
  subscribers_by_device: Type.Record(Type.String(), Type.Integer(), {
    description: 'Active subscribers under `desktop`, `mobile`, `tablet`; `unknown` where there are such.',
  }),
  subscribers_by_country: Type.Array(Type.Object({ country: Type.String(), count: Type.Integer() }), {
    description: 'Active subscribers whose country is known, most first.',
  }),
});
export type Overview = Static<typeof overviewSchema>;
