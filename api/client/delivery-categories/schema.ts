import { type Static, Type } from 'typebox';
import { nullableText, shortText, timeField } from '../fields.ts';

const newCategoryExample = { name: 'Breaking news', description: 'What cannot wait for the evening.' };

export const categorySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Browsers state it among their `categoryIds`.' }),
    name: Type.String(),
    description: nullableText,
    created_at: timeField,
    updated_at: timeField,
  },
  {
    title: 'DeliveryCategory',
    examples: [
      {
        id: 3,
        ...newCategoryExample,
        created_at: '2026-01-31T12:00:00+00:00',
        updated_at: '2026-01-31T12:00:00+00:00',
      },
    ],
  },
);
export type CategoryResource = Static<typeof categorySchema>;

/** Create and update take the same body: an update states the whole category. */
export const categoryBody = Type.Object(
  {
    name: shortText('Of one app no two are the same, in any case.'),
    description: Type.Optional(Type.String({ maxLength: 255, description: 'For people.' })),
  },
  { title: 'NewDeliveryCategory', examples: [newCategoryExample] },
);
export type CategoryBody = Static<typeof categoryBody>;
