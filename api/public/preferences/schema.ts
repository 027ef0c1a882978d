import { Type } from 'typebox';
import { browserSecretField } from '../browser-name.ts';
import { appIdField, exampleSecret, readerLanguageField } from '../subscribe/schema.ts';
import { clockPattern, fewerPattern } from './form.ts';

const clock = Type.String({ maxLength: 5, pattern: clockPattern, description: 'By the reader’s clock.' });

const choices = Type.Object(
  {
    categoriesOff: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
        maxItems: 100,
        description:
          'Ids of the delivery categories that the reader does not want; an empty list: all of them. Left out: as they are.',
      }),
    ),
    fewer: Type.Union([Type.String({ maxLength: 16, pattern: fewerPattern }), Type.Null()], {
      description: 'The most notifications in 24 hours, or in 7 days: `3-day`, `5-week`. Null: no limit.',
    }),
    quietHours: Type.Union([Type.Object({ from: clock, to: clock }), Type.Null()], {
      description: 'What is sent at these hours is held back from the reader, unless it is breaking news.',
    }),
  },
  { description: 'Replaces what the reader had chosen.' },
);

export const preferencesBody = Type.Object(
  {
    appId: Type.Optional(appIdField),
    browserSecret: browserSecretField,
    language: Type.Optional(readerLanguageField),
    choices: Type.Optional(choices),
    pause: Type.Optional(
      Type.Boolean({ description: 'True: nothing for seven days from now. False: the pause ends.' }),
    ),
    unsubscribe: Type.Optional(
      Type.Boolean({ description: 'True: the browser is unsubscribed, and its SDK ends its subscription.' }),
    ),
  },
  {
    title: 'Preferences',
    examples: [
      { appId: 'news-k3x9qa', browserSecret: exampleSecret },
      {
        ...{ appId: 'news-k3x9qa', browserSecret: exampleSecret },
        choices: { categoriesOff: [3], fewer: '3-day', quietHours: { from: '22:00', to: '07:00' } },
      },
      { appId: 'news-k3x9qa', browserSecret: exampleSecret, pause: true },
    ],
  },
);

const option = Type.Object({
  value: Type.String({ description: 'Empty: no limit.' }),
  label: Type.String(),
  chosen: Type.Boolean(),
});

export const preferencesAnswer = Type.Object(
  {
    subscribed: Type.Boolean(),
    hasLeft: Type.Boolean({
      description: 'Unsubscribed by the reader in the preference centre, and not subscribed since.',
    }),
    revision: Type.Integer({ description: 'Raised by every change here; 0: there was none.' }),
    categoryIds: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
      description: 'Null: every category.',
    }),
    url: Type.String({ description: 'The reader’s page, for a day.', documented: { format: 'uri' } }),
    language: Type.String(),
    direction: Type.Unsafe<'ltr' | 'rtl'>({ type: 'string', enum: ['ltr', 'rtl'] }),
    texts: Type.Record(Type.String(), Type.String()),
    categories: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), chosen: Type.Boolean() })),
    fewer: Type.Array(option),
    quietHours: Type.Object({ on: Type.Boolean(), from: clock, to: clock }),
    paused: Type.Union([Type.String(), Type.Null()], {
      description: 'Until when, in the reader’s language. Null: not paused.',
    }),
  },
  {
    title: 'PreferencesOfReader',
    examples: [
      {
        ...{ subscribed: true, hasLeft: false, revision: 2, categoryIds: [1] },
        url: 'https://push.example.com/preferences/AAAAKgAAAAdpfhYkZ1YxAAAAKgAAAAdpfhYk',
        ...{ language: 'en', direction: 'ltr', texts: { save: 'Save' } },
        categories: [
          { id: 1, name: 'Breaking', chosen: true },
          { id: 3, name: 'Sports', chosen: false },
        ],
        fewer: [
          { value: '', label: 'No limit', chosen: false },
          { value: '3-day', label: 'At most 3 a day', chosen: true },
        ],
        quietHours: { on: true, from: '22:00', to: '07:00' },
        paused: null,
      },
    ],
  },
);
