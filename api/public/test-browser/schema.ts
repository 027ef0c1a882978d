import { Type } from 'typebox';
import { browserSecretField } from '../browser-name.ts';
import { appIdField, exampleSecret, exampleUserId, userIdField } from '../subscribe/schema.ts';

export const testBrowserBody = Type.Object(
  {
    appId: Type.Optional(appIdField),
    userId: Type.Optional(userIdField),
    browserSecret: Type.Optional(browserSecretField),
    token: Type.String({ maxLength: 64, description: 'Of the link: what follows `#broadside-test=`.' }),
  },
  {
    title: 'RegisterTestBrowser',
    examples: [
      {
        appId: 'news-k3x9qa',
        userId: exampleUserId,
        browserSecret: exampleSecret,
        token: 'AAAAKgAAAAdpfhYkZ1Yx',
      },
    ],
  },
);
