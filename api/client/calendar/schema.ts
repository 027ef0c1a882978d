import { type Static, Type } from 'typebox';
import { dayFilter, nullable, timeField } from '../../http/fields.ts';
import { approvalStateField } from '../approvals/schema.ts';

export const MAX_DAYS = 62;
export const MOST_ENTRIES = 1_000;

/** How far it looks unless asked otherwise. */
export const DEFAULT_DAYS = 31;

export const calendarFilters = Type.Object({
  from: Type.Optional(
    dayFilter('The first moment; a date is its beginning in UTC. The beginning of today when left out.'),
  ),
  until: Type.Optional(
    dayFilter(
      `The last moment; a date is its end in UTC. At most ${MAX_DAYS} days after \`from\`, and ${DEFAULT_DAYS} when left out.`,
    ),
  ),
});

export const entryKinds = ['delivery', 'campaign', 'firing'] as const;
export type EntryKind = (typeof entryKinds)[number];

export const calendarEntry = Type.Object(
  {
    kind: Type.Unsafe<EntryKind>({
      type: 'string',
      enum: [...entryKinds],
      description:
        '`delivery`: sent, being sent, or scheduled. `campaign`: the next step of one that is to come. `firing`: an expected ' +
        'send of a recurring campaign. Feeds are in it once they have sent something.',
    }),
    id: Type.Integer({ description: 'Of the delivery, or of the campaign.' }),
    name: Type.String(),
    title: Type.String({ description: 'Of the notification; of a test its first variant’s.' }),
    at: timeField,
    until: nullable<string>({
      type: 'string',
      format: 'date-time',
      description:
        'Of a campaign by its readers’ time zones: the last instant at which readers get it; `at` is the first.',
    }),
    status: Type.String({ description: 'Of the delivery or campaign.' }),
    campaign_id: nullable<number>({ type: 'integer', description: 'The campaign that it belongs to.' }),
    success_count: nullable<number>({ type: 'integer', description: 'Null: nothing is sent yet.' }),
    approval: Type.Union([approvalStateField, Type.Null()]),
    movable: Type.Boolean({
      description: 'It waits for its time, and `PATCH` of the delivery gives it another one.',
    }),
    changes: nullable<number>({
      type: 'integer',
      description: 'Of a delivery: `expected_changes` for that `PATCH`.',
    }),
    by_reader: Type.Boolean({
      description: 'At this time wherever the reader is; here in the app’s time zone.',
    }),
  },
  { title: 'CalendarEntry' },
);
export type CalendarEntry = Static<typeof calendarEntry>;

export const calendar = Type.Object(
  {
    entries: Type.Array(calendarEntry, { description: 'In the order of their times.' }),
    truncated: Type.Boolean({
      description: `There are more than the first ${MOST_ENTRIES}: ask for fewer days.`,
    }),
  },
  {
    title: 'Calendar',
    examples: [
      {
        entries: [
          {
            kind: 'delivery',
            id: 81,
            name: 'Evening briefing',
            title: 'Good evening',
            at: '2026-01-31T18:00:00+00:00',
            until: null,
            status: 'scheduled',
            campaign_id: null,
            success_count: null,
            approval: null,
            movable: true,
            changes: 0,
            by_reader: false,
          },
        ],
        truncated: false,
      },
    ],
  },
);
