import { type Static, Type } from 'typebox';
import { passingOver } from '../../../engine/kit/http/rules.ts';
import { idField, shortText } from '../../http/fields.ts';
import { MOST_TEST_BROWSERS } from '../../shared/test-browsers/store.ts';
import { deliveryFields } from '../deliveries/schema.ts';

/** When, to whom and how fast has no meaning for a test. */
const meaningless = [
  'scheduled_at',
  'expires_at',
  'segment_id',
  'delivery_category_id',
  'ignore_frequency_cap',
  'rate_per_minute',
  'lane',
  'rehearsal',
  'during_quiet_hours',
  'duplicate_guard_hours',
  'confirm_duplicate',
] as const;
const content = Type.Omit(deliveryFields, ['name', ...meaningless]);

export const testBody = passingOver(
  Type.Object(
    {
      ...content.properties,
      name: Type.Optional(shortText('Internal label; the title when left out.')),
      test_browser_ids: Type.Optional(
        Type.Array(idField('A test browser of the app.'), {
          minItems: 1,
          maxItems: MOST_TEST_BROWSERS,
          description: 'Whom it goes to; all that are registered when left out.',
        }),
      ),
    },
    {
      title: 'NewTest',
      examples: [
        {
          title: 'Good morning',
          body: 'The three stories to know today',
          url: 'https://news.example.com/briefing',
          test_browser_ids: [3],
        },
      ],
    },
  ),
  meaningless,
);
export type TestBody = Static<typeof testBody>;
