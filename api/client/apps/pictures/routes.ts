import { Type } from 'typebox';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import { createFairQueue } from '../../../../engine/contract/concurrency/fair-queue.ts';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { say } from '../../../../engine/kit/http/explain-with.ts';
import { sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { checkIcon } from '../../../../engine/notification/icons/check-icon.ts';
import { MAX_IMAGE_BYTES } from '../../../../engine/notification/images/check-image.ts';
import { actorOf } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { baseOf } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { appOf } from '../../own-app.ts';
import { appParams, appResource } from '../routes.ts';
import { type AppChanges, appSchema } from '../schema.ts';
import { createUpdateApp } from '../update-app.ts';
import { createProposePictures, iconPath, type ProposedPicture } from './propose-pictures.ts';

/** Of the largest file, as base64. */
const MOST_TEXT = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;
const BODY_LIMIT_BYTES = MOST_TEXT + 1_024;
/** Read at a time in this process, and how many requests may wait. */
const UPLOADS = { permits: 2, waiting: 8, mostOfOwner: 4 } as const;

/** A WebP of four squares. */
const exampleFile =
  'UklGRkoAAABXRUJQVlA4TD0AAAAvx8AxEB8gEEjxJNEtEEhi2x9hGIEAoUSlKpXzH4GtLVDTthFUkiVZkrdmvy+i/xNgvvj3X1sJL/7911YAAA==';

const uploadBody = Type.Object(
  {
    use: Type.Unsafe<'icon' | 'badge'>({ type: 'string', enum: ['icon', 'badge'] }),
    file: Type.String({
      minLength: 1,
      maxLength: MOST_TEXT,
      description:
        'The file, in base64, at most 2 MB. An icon: a square PNG, JPEG or WebP of 192 to 4,096 pixels. A badge: a square PNG with transparency, of 96 pixels or more.',
    }),
  },
  { title: 'AppPicture', examples: [{ use: 'icon', file: exampleFile }] },
);

const tags = ['Apps'];

/** Files that become an app's pictures, and those that its site shows of itself. */
export function pictureRoutes(scope: Scope, deps: Using<'database' | 'config' | 'publicAddresses'>): void {
  uploadRoute(scope, deps);
  proposalRoute(scope, deps);
}

function uploadRoute(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  const changeApp = createUpdateApp(database);
  const queue = createFairQueue(UPLOADS);
  scope.post(
    '/apps/:identifier/pictures',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { ability: 'apps:write' },
      schema: {
        tags,
        summary: 'Upload an icon or a badge',
        operationId: 'uploadAppPicture',
        description:
          'The app’s `icon_url` or `badge_url` becomes the address at which we serve the picture: an icon resized to 192 and 512 pixels, a badge to 96, each named by its hash and cached for ever. A badge without transparency is refused: Android draws the opacity alone, so it would be a white square.',
        security,
        params: appParams,
        body: uploadBody,
        response: appAnswers({ 200: dataOf(appSchema) }),
      },
    },
    async (request, reply) => {
      const { use, file } = request.body;
      const { identifier } = request.params;
      const base = baseOf(request, config);
      const by = { caller: callerOf(request), actor: actorOf(request), base };
      const read = await queue.run(
        () => checkIcon(use, Buffer.from(file, 'base64')),
        by.caller.organizationId,
      );
      if (read === 'full' || read === 'closed') return sendUnavailable(reply);
      if (read.kind === 'refused') return sendFieldErrors(reply, say('/file', read.words));
      await storeImage(database, read.icon);
      const body = { [`${use}_url`]: iconPath(read.icon) } as unknown as AppChanges;
      const ending = await changeApp(by, identifier, { kind: 'changes', body });
      if (ending.kind === 'missing') return sendNotFound(reply);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return { data: appResource(ending.app, base) };
    },
  );
}

const proposed = Type.Union([
  Type.Object(
    {
      url: Type.String({ format: 'uri', description: 'Ours: to be given as `icon_url` or `badge_url`.' }),
      source: Type.String({ description: 'Where the site has it.' }),
    },
    { title: 'ProposedPicture' },
  ),
  Type.Null(),
]);
const proposalSchema = Type.Object(
  { icon: proposed, badge: proposed },
  {
    title: 'PictureProposal',
    examples: [
      {
        icon: {
          url: `https://push.example.com/images/${'ab'.repeat(32)}-192.png`,
          source: 'https://news.example.com/icons/512.png',
        },
        badge: null,
      },
    ],
  },
);

function proposalRoute(
  scope: Scope,
  { database, config, publicAddresses }: Using<'database' | 'config' | 'publicAddresses'>,
): void {
  const propose = createProposePictures(database, publicAddresses);
  scope.post(
    '/apps/:identifier/pictures/proposal',
    {
      config: { ability: 'apps:write' },
      schema: {
        tags,
        summary: 'Propose an icon and a badge',
        operationId: 'proposeAppPictures',
        description:
          'Looks for them in the site’s web app manifest (a badge is an icon of its purpose `monochrome`), among the icons that its front page links, and at `/apple-touch-icon.png`, 5 seconds each. It changes nothing: give what you take as the app’s `icon_url` and `badge_url`, within a day.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(proposalSchema) }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const found = await propose(organizationId, appOf(request).site_domain);
      if (found === 'busy') return sendUnavailable(reply);
      const base = baseOf(request, config);
      const shown = (each: ProposedPicture | null) =>
        each === null ? null : { url: base + each.path, source: each.source };
      return { data: { icon: shown(found.icon), badge: shown(found.badge) } };
    },
  );
}
