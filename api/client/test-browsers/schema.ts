import { type Static, Type } from 'typebox';
import { idField, nullable, nullableText, shortText, timeField } from '../../http/fields.ts';
import { subscriptionStatuses } from '../../shared/subscription-status.ts';

const name = shortText('For people, such as “Anna’s phone”.');

const example = {
  id: 3,
  subscription_id: 4_711,
  name: 'Anna’s phone',
  status: 'subscribed',
  device_type: 'mobile',
  browser_name: 'Chrome',
  os_name: 'Android',
  registered_by: 'anna@example.com',
  registered_at: '2026-01-31T12:00:00+00:00',
  consented: true,
} as const;

export const testBrowserSchema = Type.Object(
  {
    id: Type.Integer(),
    subscription_id: Type.Integer(),
    name,
    status: Type.Unsafe<(typeof subscriptionStatuses)[number]>({
      type: 'string',
      enum: [...subscriptionStatuses],
      description: 'Of the subscription: one that is unsubscribed gets no tests.',
    }),
    device_type: nullableText,
    browser_name: nullableText,
    os_name: nullableText,
    registered_by: Type.String({ description: 'E-mail address; empty where no person did.' }),
    registered_at: timeField,
    consented: Type.Boolean({
      description:
        'It came by the link itself. False: somebody picked it among the subscribers, and tests of authors do not go to it.',
    }),
  },
  { title: 'TestBrowser', examples: [example] },
);
export type TestBrowserResource = Static<typeof testBrowserSchema>;

export const testBrowserBody = Type.Object(
  {
    subscription_id: idField('A subscription of the app.'),
    name: Type.Optional(
      shortText('For people. Its browser and system when left out, such as “Chrome on Android”.'),
    ),
  },
  { title: 'NewTestBrowser', examples: [{ subscription_id: 4_711, name: 'Anna’s phone' }] },
);
export type TestBrowserBody = Static<typeof testBrowserBody>;

export const testBrowserChanges = Type.Object(
  { name },
  { title: 'TestBrowserChanges', examples: [{ name: 'The phone at the news desk' }] },
);

export const testLinkSchema = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'The app’s site with the token: open it in the browser.',
    }),
    token: Type.String({
      description: 'Works behind `#broadside-test=` on any page of the site that loads the SDK.',
    }),
    expires_at: timeField,
  },
  {
    title: 'TestBrowserLink',
    examples: [
      {
        url: 'https://news.example.com/#broadside-test=AAAAKgAAAAdpfhYkZ1Yx',
        token: 'AAAAKgAAAAdpfhYkZ1Yx',
        expires_at: '2026-01-31T12:15:00+00:00',
      },
    ],
  },
);

export const testStates = ['waiting', 'not_sent', 'failed', 'accepted', 'displayed', 'clicked'] as const;
export type TestState = (typeof testStates)[number];

export const testResultsSchema = Type.Object(
  {
    browsers: Type.Array(
      Type.Object(
        {
          test_browser_id: nullable<number>({ type: 'integer', description: 'Null: it was removed since.' }),
          subscription_id: nullable<number>({ type: 'integer', description: 'Null: it was deleted since.' }),
          name: nullableText,
          state: Type.Unsafe<TestState>({
            type: 'string',
            enum: [...testStates],
            description:
              '`accepted`: the push service took it. `displayed`, `clicked`: the browser said so. `not_sent`: it was not subscribed when its turn came.',
          }),
        },
        { title: 'TestResult' },
      ),
    ),
    reactions_known: Type.Boolean({
      description: 'False: what browsers reported cannot be read at the moment.',
    }),
  },
  {
    title: 'TestResults',
    examples: [
      {
        browsers: [{ test_browser_id: 3, subscription_id: 4_711, name: 'Anna’s phone', state: 'displayed' }],
        reactions_known: true,
      },
    ],
  },
);
