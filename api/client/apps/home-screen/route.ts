import { Type } from 'typebox';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { nullable } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { appOf } from '../../own-app.ts';
import { appParams } from '../routes.ts';
import { createCheckHomeScreen } from './check-home-screen.ts';
import { type FindingCode, findingCodes, findingOf } from './judge-manifest.ts';

const findingSchema = Type.Object(
  {
    code: Type.Unsafe<FindingCode>({ type: 'string', enum: [...findingCodes] }),
    blocks: Type.Boolean({ description: 'Without it, iPhones and iPads get no notifications.' }),
    message: Type.String({ description: 'What is wrong, and how to mend it.' }),
  },
  { title: 'HomeScreenFinding', examples: [findingOf('display')] },
);

const checkSchema = Type.Object(
  {
    manifest_url: nullable<string>({
      type: 'string',
      format: 'uri',
      description: 'Null: the page names none.',
    }),
    findings: Type.Array(findingSchema, { description: 'Empty: the site is ready.' }),
  },
  {
    title: 'HomeScreenCheck',
    examples: [{ manifest_url: 'https://news.example.com/manifest.json', findings: [findingOf('display')] }],
  },
);

/** Reads the site as it is now. It changes nothing: no entry of the audit log. */
export function homeScreenRoute(scope: Scope, { publicAddresses }: Using<'publicAddresses'>): void {
  const check = createCheckHomeScreen(publicAddresses);
  scope.post(
    '/apps/:identifier/home-screen-check',
    {
      config: { ability: 'apps:read' },
      schema: {
        tags: ['Apps'],
        summary: 'Check a site for iPhones',
        operationId: 'checkHomeScreen',
        description:
          'iPhones and iPads get notifications only from sites on the home screen, which need a web app manifest. ' +
          'Fetches the site’s front page and its manifest from the public internet, 5 seconds each, and says what is missing.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(checkSchema) }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const found = await check(organizationId, appOf(request).site_domain);
      return found === 'busy'
        ? sendUnavailable(reply)
        : { data: { ...found, findings: [...found.findings] } };
    },
  );
}
