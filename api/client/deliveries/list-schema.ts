import { type Static, Type } from 'typebox';
import { dayFilter, idField } from '../../http/fields.ts';
import { pageFields } from '../../http/page.ts';
import { approvalStateField } from '../approvals/schema.ts';
import { type Direction, directions } from '../subscriptions/schema.ts';
import { status } from './schema.ts';

export const deliverySorts = [
  'created_at',
  'total_subscribers',
  'success_count',
  'failed_count',
  'click_count',
  'click_rate',
] as const;
export type DeliverySort = (typeof deliverySorts)[number];

export const deliveryFilters = Type.Object({
  ...pageFields,
  status: Type.Optional(status),
  campaign_id: Type.Optional(idField('Deliveries of this campaign.')),
  approval: Type.Optional(approvalStateField),
  test: Type.Optional(Type.Boolean({ description: 'Only tests, or none of them. Both when left out.' })),
  source_type: Type.Optional(
    Type.Unsafe<'api' | 'welcome'>({
      type: 'string',
      enum: ['api', 'welcome'],
      default: 'api',
      description: 'Welcomes to new subscribers are not among the others.',
    }),
  ),
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in any case.' })),
  title: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the title, in any case.' })),
  category: Type.Optional(Type.String({ maxLength: 255, description: 'Name of the delivery category.' })),
  created_after: Type.Optional(dayFilter('On this day (UTC) or later.')),
  created_before: Type.Optional(dayFilter('On this day (UTC) or earlier.')),
  sort: Type.Optional(
    Type.Unsafe<DeliverySort>({
      type: 'string',
      enum: [...deliverySorts],
      default: 'created_at',
      description:
        'One of the delivery’s own fields. By clicks, the list is answered 503 while clicks cannot be counted.',
    }),
  ),
  direction: Type.Optional(
    Type.Unsafe<Direction>({
      type: 'string',
      enum: [...directions],
      default: 'desc',
      description: 'Of the sort; deliveries that are equal in it follow by their ids.',
    }),
  ),
});
export type DeliveryFilters = Static<typeof deliveryFilters>;
