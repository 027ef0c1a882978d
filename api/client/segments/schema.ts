import { type Static, Type } from 'typebox';
import { audienceRules } from '../../../engine/contract/audience.ts';
import { passingOver, withExplainers } from '../../../engine/kit/http/rules.ts';
import { idField, nullable, shortText, storedFields, timeField } from '../../http/fields.ts';
import { explainRules } from './explain-rules.ts';

const newSegmentExample = {
  name: 'Engaged sports readers',
  rules: {
    match: 'all' as const,
    conditions: [
      { field: 'tag' as const, key: 'topic', operator: 'equals' as const, value: 'sports' },
      { field: 'last_clicked' as const, operator: 'within_days' as const, days: 30 },
      {
        match: 'any' as const,
        conditions: [
          { field: 'country' as const, operator: 'in' as const, values: ['DE', 'AT', 'CH'] },
          { field: 'device_type' as const, operator: 'not_in' as const, values: ['desktop'] },
        ],
      },
    ],
  },
};

export const segmentSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'For people.' }),
    rules: audienceRules,
    created_at: timeField,
    updated_at: timeField,
  },
  {
    title: 'Segment',
    examples: [
      {
        id: 7,
        ...newSegmentExample,
        created_at: '2026-01-31T12:00:00+00:00',
        updated_at: '2026-01-31T12:00:00+00:00',
      },
    ],
  },
);
export type SegmentResource = Static<typeof segmentSchema>;

/** Create and PUT take the same body, which states the whole segment. */
export const segmentBody = withExplainers(
  passingOver(
    Type.Object(
      { name: shortText('For people.'), rules: audienceRules },
      { title: 'NewSegment', examples: [newSegmentExample] },
    ),
    storedFields,
  ),
  { rules: explainRules },
);
export type SegmentBody = Static<typeof segmentBody>;

/** Absent fields keep their value. */
export const segmentChanges = withExplainers(
  passingOver(
    Type.Object(
      { name: Type.Optional(shortText('For people.')), rules: Type.Optional(audienceRules) },
      { title: 'SegmentChanges', examples: [{ name: 'Engaged sports readers' }] },
    ),
    storedFields,
  ),
  { rules: explainRules },
);
export type SegmentChanges = Static<typeof segmentChanges>;

/** The audience that a delivery would have. */
export const previewBody = withExplainers(
  // A segment may be counted as it was read or is to be saved.
  passingOver(
    Type.Object(
      {
        rules: Type.Optional(audienceRules),
        delivery_category_id: Type.Optional(
          idField(
            'As for a delivery: counts readers who stated this category, and readers who never stated any.',
          ),
        ),
      },
      { title: 'SegmentPreview', examples: [{ rules: newSegmentExample.rules }] },
    ),
    [...storedFields, 'name'],
  ),
  { rules: explainRules },
);
export type PreviewBody = Static<typeof previewBody>;

export const countSchema = Type.Object(
  {
    count: Type.Integer({ description: 'Subscribed subscriptions that match now.' }),
    chose_category: nullable<number>({
      type: 'integer',
      description:
        'With `delivery_category_id`: the readers who chose the category; the others never stated categories, and receive every one. `null` without.',
    }),
  },
  { title: 'SegmentCount', examples: [{ count: 18_204, chose_category: 3_120 }] },
);
