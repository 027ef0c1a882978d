import { type Static, Type } from 'typebox';
import { feedItemStatuses } from '../../../engine/contract/campaign.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { defaultMapping } from '../../../engine/notification/feeds/map-item.ts';
import {
  givenUrl,
  httpUrl,
  nullable,
  nullableText,
  nullableTime,
  shortText,
  timeField,
} from '../../http/fields.ts';
import { pageFields } from '../../http/page.ts';
import { oneOf } from './one-of.ts';

export const feedDefaults = {
  everyMinutes: 5,
  publish: 'review',
  perHour: 3,
  overflow: 'summary',
  mapping: defaultMapping,
} as const;

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50, description }),
  );
const fields = '`{title}`, `{summary}`, `{category}` (the first) and `{author}` stand for the item’s.';

export const feedPlan = Type.Object(
  {
    kind: oneOf(['feed']),
    url: httpUrl(
      'Of an RSS, Atom or JSON feed on the public internet, at most 5 MB. A first poll, also after another URL was ' +
        'given, sends nothing; from then on each new item is sent once.',
    ),
    every_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: feedDefaults.everyMinutes,
        description:
          'Between two polls. While the feed cannot be read, it becomes longer, up to an hour; a change of the campaign ' +
          'begins with a poll at once.',
      }),
    ),
    schedule: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Makes it a digest: at these times, one notification of what is new, and none if nothing is. A line of cron ' +
          'with five fields. `every_minutes`, `max_per_hour` and `overflow` do not count then.',
        examples: ['0 18 * * *'],
      }),
    ),
    time_zone: Type.Optional(
      Type.Refine(
        Type.String({
          maxLength: 64,
          description: 'Of the schedule: an IANA time zone. The app’s when left out.',
          examples: ['Europe/Berlin'],
        }),
        (text) => typeof text !== 'string' || timeZoneOf(text) !== null,
        () => 'must be an IANA time zone such as Europe/Berlin',
      ),
    ),
    mapping: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(
            Type.String({ minLength: 1, maxLength: 255, default: defaultMapping.title, description: fields }),
          ),
          body: Type.Optional(
            Type.String({ minLength: 1, maxLength: 255, default: defaultMapping.body, description: fields }),
          ),
          image: Type.Optional(
            Type.Boolean({
              default: defaultMapping.image,
              description: 'Shows the item’s image, if it is a PNG or JPG of at most 2 MB.',
            }),
          ),
          icon_url: Type.Optional(
            httpUrl(
              'The icon of all its items, such as their section’s mark, as of a delivery; the app’s when left out.',
            ),
          ),
          item_icon: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                'Shows the item’s own icon in its place, if the feed has one as a PNG or JPG of at most 2 MB: its ' +
                'author’s face, an episode’s cover, or the feed’s icon.',
            }),
          ),
        },
        { title: 'FeedMapping', description: 'An item as a notification. A click leads to the item’s link.' },
      ),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          categories: names('The item has one of these categories.'),
          words: names('One of these words is in its title or summary.'),
          without: names('None of these is a category of the item or a word in its title or summary.'),
        },
        { title: 'FeedFilter', description: 'Which items are sent; all of these must hold.' },
      ),
    ),
    publish: Type.Optional(
      oneOf(
        ['automatic', 'review'],
        '`automatic`: an item is sent when it is found. `review` (the default): it is a draft until somebody approves it.',
      ),
    ),
    max_per_hour: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        default: feedDefaults.perHour,
        description: 'Notifications or drafts, the newest items first.',
      }),
    ),
    overflow: Type.Optional(
      oneOf(
        ['summary', 'drop'],
        'Of more items than that: `summary` (the default) sums up the others in one notification, which counts as one; ' +
          '`drop` leaves them out.',
      ),
    ),
  },
  {
    title: 'FeedPlan',
    description: 'Runs until it is cancelled, and may be changed while it runs.',
    examples: [
      {
        kind: 'feed',
        url: 'https://news.example.com/rss.xml',
        every_minutes: 5,
        mapping: { title: '{category}: {title}', body: '{summary}', image: true },
        filter: { categories: ['Politics', 'Economy'], without: ['Sponsored'] },
        publish: 'review',
        max_per_hour: 3,
        overflow: 'summary',
      },
    ],
  },
);

export const feedStateSchema = Type.Object(
  {
    title: nullableText,
    last_look_at: nullableTime,
    last_read_at: nullable<string>({
      type: 'string',
      format: 'date-time',
      description: 'The last poll that succeeded.',
    }),
    failures: Type.Integer({
      description:
        'Polls that failed in a row; `error_message` says why, `next_step_at` when the next one is.',
    }),
    failing_since: nullableTime,
    drafts: Type.Integer({ description: 'That wait for somebody to approve or dismiss them.' }),
  },
  {
    title: 'FeedState',
    examples: [
      {
        title: 'Example News',
        last_look_at: '2026-01-31T12:05:00+00:00',
        last_read_at: '2026-01-31T12:05:00+00:00',
        failures: 0,
        failing_since: null,
        drafts: 2,
      },
    ],
  },
);

const itemExample = {
  id: 71,
  status: 'draft',
  items: 1,
  title: 'Politics: Parliament votes',
  body: 'The vote is close.',
  url: 'https://news.example.com/vote',
  delivery_id: null,
  created_at: '2026-01-31T12:05:00+00:00',
  decided_at: null,
};
export const feedItemSchema = Type.Object(
  {
    id: Type.Integer(),
    status: oneOf(
      feedItemStatuses,
      '`draft`: it waits to be approved or dismissed. `sent`: it has a delivery. `dismissed`: it is never sent.',
    ),
    items: Type.Integer({ description: 'Items of the feed; more than one: it sums them up.' }),
    title: Type.String(),
    body: Type.String(),
    url: givenUrl,
    image_url: Type.Optional(givenUrl),
    icon_url: Type.Optional(givenUrl),
    delivery_id: nullable<number>({ type: 'integer', description: 'Of a sent one.' }),
    created_at: timeField,
    decided_at: nullable<string>({
      type: 'string',
      format: 'date-time',
      description: 'When somebody approved or dismissed it.',
    }),
  },
  { title: 'FeedItem', examples: [itemExample] },
);
export type FeedItemResource = Static<typeof feedItemSchema>;

export const feedItemFilters = Type.Object({
  ...pageFields,
  status: Type.Optional(oneOf(feedItemStatuses, 'Of this status alone.')),
});
export type FeedItemFilters = Static<typeof feedItemFilters>;

export const approveBody = Type.Object(
  {
    title: Type.Optional(shortText('First line of the notification; as drafted when left out.')),
    body: Type.Optional(shortText('Text of the notification; as drafted when left out.')),
  },
  { title: 'FeedItemApproval', examples: [{ title: 'Parliament votes tonight' }] },
);
export type ApproveBody = Static<typeof approveBody>;

export const feedForecast = Type.Object(
  {
    title: nullableText,
    items: Type.Integer({ description: 'In the feed now.' }),
    matching: Type.Integer({ description: 'Of these, those that the filter lets through.' }),
    next: Type.Union(
      [
        Type.Object(
          {
            title: Type.String(),
            body: Type.String(),
            url: givenUrl,
            image_url: nullable<string>({
              type: 'string',
              format: 'uri',
              description: 'As the feed names it.',
            }),
            icon_url: nullable<string>({
              type: 'string',
              format: 'uri',
              description: 'As the feed names it. Null: `mapping.icon_url`, or the app’s icon.',
            }),
          },
          {
            title: 'FeedNotification',
            examples: [
              {
                title: 'Politics: Parliament votes',
                body: 'The vote is close.',
                url: 'https://news.example.com/vote',
                image_url: null,
                icon_url: null,
              },
            ],
          },
        ),
        Type.Null(),
      ],
      {
        description: 'The newest of them as it would be sent; of a digest, all of them. Null: there is none.',
      },
    ),
  },
  { title: 'FeedForecast' },
);
export type FeedForecast = Static<typeof feedForecast>;
