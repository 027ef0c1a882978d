import { Type } from 'typebox';
import type { Rule } from '../../../engine/kit/http/rules.ts';
import { withRules } from '../../../engine/kit/http/rules.ts';
import { browserSecretField } from '../browser-name.ts';
import {
  appIdField,
  browserSubscription,
  exampleSecret,
  exampleSubscription,
  exampleUserId,
  externalIdsField,
  readerLanguageField,
  timeZoneField,
  userIdField,
  vapidKeyField,
} from '../subscribe/schema.ts';

const rules: readonly Rule[] = [
  {
    field: 'categoryIds',
    words: 'is not accepted here',
    holds: ({ categoryIds }) => categoryIds === undefined,
  },
  {
    field: 'userId',
    words: 'is required without a subscription or a browserSecret',
    holds: ({ userId, browserSecret, subscription }) =>
      userId !== undefined || browserSecret !== undefined || Boolean(subscription),
  },
];

export const updateBody = withRules(
  Type.Object(
    {
      appId: Type.Optional(appIdField),
      userId: Type.Optional(userIdField),
      browserSecret: Type.Optional(browserSecretField),
      subscription: Type.Optional(
        Type.Union([browserSubscription, Type.Null()], {
          description:
            'As for subscribe. `null`, the result of `getSubscription()` after the user has withdrawn the permission: the browser is unsubscribed.',
        }),
      ),
      vapidKey: Type.Optional(vapidKeyField),
      revoked: Type.Optional(
        Type.Boolean({
          description:
            'With `subscription: null` and a `browserSecret`: the user has not withdrawn the permission, the browser has. Counted once in 30 days.',
        }),
      ),
      externalIds: Type.Optional(externalIdsField),
      timeZone: Type.Optional(timeZoneField),
      language: Type.Optional(readerLanguageField),
    },
    {
      title: 'UpdateSubscription',
      examples: [
        { appId: 'news-k3x9qa', userId: exampleUserId, subscription: exampleSubscription },
        {
          appId: 'news-k3x9qa',
          userId: exampleUserId,
          browserSecret: exampleSecret,
          externalIds: { oid_cookie: '9f31' },
        },
        { appId: 'news-k3x9qa', browserSecret: exampleSecret, subscription: null },
        { appId: 'news-k3x9qa', browserSecret: exampleSecret, subscription: null, revoked: true },
      ],
    },
  ),
  rules,
);
