import { Type } from 'typebox';
import type { Rule } from '../../../engine/adapters/http/rules.ts';
import { withRules } from '../../../engine/adapters/http/rules.ts';
import {
  appIdField,
  browserSubscription,
  exampleSubscription,
  externalIdsField,
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
    words: 'is required without a subscription',
    holds: ({ userId, subscription }) => userId !== undefined || Boolean(subscription),
  },
];

export const updateBody = withRules(
  Type.Object(
    {
      appId: Type.Optional(appIdField),
      userId: Type.Optional(userIdField),
      subscription: Type.Optional(
        Type.Union([browserSubscription, Type.Null()], {
          description:
            'As for subscribe. `null`, which is what `getSubscription()` gives where the user has withdrawn the permission: the browser has none any more, and is unsubscribed.',
        }),
      ),
      vapidKey: Type.Optional(vapidKeyField),
      externalIds: Type.Optional(externalIdsField),
    },
    {
      title: 'UpdateSubscription',
      examples: [
        { appId: 'news-k3x9qa', userId: 'b7e2c1d4', subscription: exampleSubscription },
        { appId: 'news-k3x9qa', userId: 'b7e2c1d4', externalIds: { oid_cookie: '9f31' } },
        { appId: 'news-k3x9qa', userId: 'b7e2c1d4', subscription: null },
      ],
    },
  ),
  rules,
);
