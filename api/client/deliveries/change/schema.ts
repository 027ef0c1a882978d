import { type Static, Type } from 'typebox';
import { ofChanges } from '../../../../engine/kit/http/rules.ts';
import { futureTime, shortText, timeField } from '../../../http/fields.ts';
import { contentFields, deliverySchema, duringQuietHours } from '../schema.ts';

/** PATCH of a delivery that waits for its time: absent fields stay as they are. */
export const deliveryChanges = ofChanges(
  Type.Object(
    {
      name: Type.Optional(shortText('Internal label.')),
      ...contentFields,
      title: Type.Optional(contentFields.title),
      body: Type.Optional(contentFields.body),
      url: Type.Optional(contentFields.url),
      scheduled_at: Type.Optional(futureTime('Another time; null: now.')),
      expires_at: Type.Optional(futureTime('After scheduled_at; null: it does not expire.')),
      during_quiet_hours: duringQuietHours,
      expected_changes: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            '`changes` as you have read it: refused with 422 where somebody has changed the delivery since.',
        }),
      ),
    },
    {
      title: 'DeliveryChanges',
      examples: [{ title: 'Good evening', scheduled_at: '2999-01-31T18:00:00+00:00', expected_changes: 0 }],
    },
  ),
);
export type DeliveryChanges = Static<typeof deliveryChanges>;

const { name, title, body, url, image_url, icon_url, action_buttons, scheduled_at, expires_at } =
  deliverySchema.properties;
const { language, translations } = deliverySchema.properties;

/** What changes with a version. */
export const versionSchema = Type.Object(
  {
    version: Type.Integer({ description: '1 is what it was created with.' }),
    ...{
      name,
      title,
      body,
      url,
      image_url,
      icon_url,
      action_buttons,
      language,
      translations,
      scheduled_at,
      expires_at,
    },
    replaced_at: timeField,
    replaced_by: Type.String({ description: 'Who made the next version: a person, or a token by its name.' }),
  },
  {
    title: 'DeliveryVersion',
    examples: [
      {
        version: 1,
        name: 'Evening briefing',
        title: 'Good morning',
        body: 'The three stories to know today',
        url: 'https://news.example.com/briefing',
        image_url: null,
        icon_url: null,
        action_buttons: [],
        language: null,
        translations: [],
        scheduled_at: '2999-01-31T07:00:00+00:00',
        expires_at: null,
        replaced_at: '2026-01-31T12:00:00+00:00',
        replaced_by: 'ada@example.com',
      },
    ],
  },
);
