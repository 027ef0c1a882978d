import { Type } from 'typebox';
import { MAX_TAGS_A_WRITE } from '../../shared/tag-limits.ts';
import { browserSecretField } from '../browser-name.ts';
import { appIdField, exampleSecret, exampleUserId, userIdField } from '../subscribe/schema.ts';

export const tagsBody = Type.Object(
  {
    appId: Type.Optional(appIdField),
    userId: userIdField,
    browserSecret: Type.Optional(browserSecretField),
    tags: Type.Array(
      Type.Object({
        key: Type.String({ minLength: 1, maxLength: 255 }),
        value: Type.String({ maxLength: 255 }),
      }),
      {
        maxItems: MAX_TAGS_A_WRITE,
        description:
          'Overwritten or added by key; tags that are not listed stay. Of a key that is listed twice the last value holds.',
      },
    ),
  },
  {
    title: 'TagSubscription',
    examples: [
      {
        appId: 'news-k3x9qa',
        userId: exampleUserId,
        browserSecret: exampleSecret,
        tags: [
          { key: 'topic', value: 'sports' },
          { key: 'city', value: 'Hamburg' },
        ],
      },
    ],
  },
);
