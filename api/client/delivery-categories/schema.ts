import { type Static, Type } from 'typebox';
import { ofChanges, passingOver } from '../../../engine/kit/http/rules.ts';
import { nullableText, shortText, storedFields, timeField } from '../../http/fields.ts';

const newCategoryExample = { name: 'Breaking news', description: 'News that cannot wait.' };

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

const name = shortText('Of one app no two are the same, in any case.');
const description = Type.Optional(Type.String({ maxLength: 255, description: 'For people.' }));

/** Create and PUT take the same body, which states the whole category. */
export const categoryBody = passingOver(
  Type.Object({ name, description }, { title: 'NewDeliveryCategory', examples: [newCategoryExample] }),
  storedFields,
);
export type CategoryBody = Static<typeof categoryBody>;

export const categoryChanges = ofChanges(
  passingOver(
    Type.Object(
      { name: Type.Optional(name), description },
      { title: 'DeliveryCategoryChanges', examples: [{ name: 'Breaking news' }] },
    ),
    storedFields,
  ),
);
export type CategoryChanges = Static<typeof categoryChanges>;
