import { type Static, Type } from 'typebox';
import { MOST_TRANSLATIONS } from '../../../../engine/contract/wording.ts';
import { detailOf } from '../../../../engine/notification/warnings/details.ts';
import { type Warning, warningCodes, warningsOf } from '../../../../engine/notification/warnings/warnings.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { isHttpUrl, MOST_URL_CHARACTERS } from '../../../http/fields.ts';
import { baseOf } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { appParams } from '../../apps/routes.ts';
import { createReadDeliveryImage } from '../create/delivery-image.ts';

/** Of a notification that is being written: nothing has to be there, or finished. */
const text = Type.Optional(Type.String({ maxLength: 255 }));
const address = (description: string) =>
  Type.Optional(Type.String({ maxLength: MOST_URL_CHARACTERS, description }));

const texts = {
  title: text,
  body: text,
  url: address('Where a click leads.'),
  action_buttons: Type.Optional(
    Type.Array(Type.Object({ title: text, url: address('The URL that the button opens.') }), { maxItems: 2 }),
  ),
};
const worded = Type.Object(
  { ...texts, icon_url: address('The icon of its own, fetched likewise.') },
  { title: 'TranslationToCheck' },
);

const warningsBody = Type.Object(
  {
    ...texts,
    image_url: address('Fetched now, as a delivery would, once it is a whole http or https address.'),
    icon_url: address('Likewise.'),
    translations: Type.Optional(Type.Array(worded, { maxItems: MOST_TRANSLATIONS })),
  },
  {
    title: 'NotificationToCheck',
    examples: [{ title: 'YOUR ACCOUNT HAS BEEN SUSPENDED', body: 'Sign in to keep it.' }],
  },
);

const warningSchema = Type.Object(
  {
    field: Type.String({ description: 'JSON pointer, such as `/action_buttons/0/title`.' }),
    code: Type.Unsafe<Warning['code']>({ type: 'string', enum: [...warningCodes] }),
    detail: Type.String({ description: 'For people, in English.' }),
  },
  {
    title: 'NotificationWarning',
    examples: [
      {
        field: '/title',
        code: 'all-capitals',
        detail: 'The title is all capitals, as spam often is: write it in small letters.',
      },
    ],
  },
);

const description = `What a publisher may want to know before sending. It is advice: a delivery that is warned of is sent
all the same, and an unfinished notification may be given. \`title-cut-on-android\`, \`emoji-only\` and \`all-capitals\` are
about the title; \`image-not-served\` and \`icon-not-served\` mean that the picture would be refused (it is fetched without
cookies or a log-in). The other codes are signs of a deceptive notification, looked for in title, text and buttons in English, German,
French and Spanish. They are rules of this project, not those of Chrome on Android, which nobody outside knows.`;

/** It changes nothing: no entry of the audit log. */
export function warningsRoute(
  scope: Scope,
  { database, publicAddresses, config }: Using<'database' | 'publicAddresses' | 'config'>,
): void {
  const readImage = createReadDeliveryImage(database, publicAddresses);
  scope.post(
    '/apps/:identifier/deliveries/warnings',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Check a notification before sending',
        operationId: 'checkNotification',
        description,
        security,
        params: appParams,
        body: warningsBody,
        response: appAnswers({ 200: dataOf(Type.Array(warningSchema, { maxItems: 100 })) }),
      },
    },
    async (request) => {
      const { body } = request;
      const given = {
        organizationId: callerOf(request).organizationId,
        upload: null,
        base: baseOf(request, config),
      };
      const pictures = picturesOf(body);
      /** By the address: a picture of several languages is fetched once. */
      const refusals = new Map<string, string>();
      const urls = [...new Set(pictures.map(({ url }) => url))];
      for (let at = 0; at < urls.length; at += AT_ONCE)
        await Promise.all(
          urls.slice(at, at + AT_ONCE).map(async (url) => {
            const read = await readImage({ ...given, url });
            // Too many are being fetched now: this is advice, and it is left out.
            if (read.kind === 'refused') refusals.set(url, read.words);
          }),
        );
      const found = warningsOf(allTextsOf(body)).map((warning) => ({
        ...warning,
        detail: detailOf(warning),
      }));
      const refused = pictures.flatMap(({ field, code, url }) => {
        const words = refusals.get(url);
        const detail = `The ${field.split('/').at(-1)} field ${words}.`;
        return words === undefined ? [] : [{ field, code, detail }];
      });
      return { data: [...found, ...refused] };
    },
  );
}

/** An organization has as many permits (`create/delivery-image.ts`). */
const AT_ONCE = 4;

/** Those with a whole address. */
const picturesOf = ({ image_url, icon_url, translations = [] }: Static<typeof warningsBody>) =>
  [
    { field: '/image_url', code: 'image-not-served' as const, url: image_url },
    { field: '/icon_url', code: 'icon-not-served' as const, url: icon_url },
    ...translations.map((each, at) => ({
      field: `/translations/${at}/icon_url`,
      code: 'icon-not-served' as const,
      url: each.icon_url,
    })),
  ].flatMap(({ url, ...picture }) => (url !== undefined && isHttpUrl(url) ? [{ ...picture, url }] : []));

const allTextsOf = (body: Static<typeof warningsBody>) => ({
  ...textsOf(body),
  translations: (body.translations ?? []).map(textsOf),
});

const textsOf = ({ title = '', body = '', url, action_buttons: buttons = [] }: Static<typeof worded>) => ({
  ...{ title, body, url },
  buttons: buttons.map((button) => ({ title: button.title ?? '', url: button.url ?? '' })),
});
