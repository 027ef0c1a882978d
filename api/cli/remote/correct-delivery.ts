import { randomUUID } from 'node:crypto';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions } from './connection.ts';
import { withoutUndefined } from './option-parsers.ts';
import { printWarnings } from './print-warnings.ts';
import { givenAgain, readTranslations } from './translations-file.ts';
import { readDelivery } from './watch-delivery.ts';

interface CorrectOptions extends RemoteOptions {
  readonly app: string;
  readonly title?: string;
  readonly body?: string;
  readonly url?: string;
  readonly name?: string;
  readonly translations?: string;
  readonly mainTextOnly?: boolean;
}

/** What is not said again is as in the first one, its image, its icon and its buttons too. */
export async function correctDelivery(id: number, { app, ...options }: CorrectOptions): Promise<void> {
  const { title, body, url, name, mainTextOnly = false } = options;
  if (title === undefined && body === undefined && url === undefined)
    throw new CliError('give at least one change: --title, --body or --url.');
  const given = mainTextOnly ? [] : await readTranslations(options.translations);
  const client = connect(options);
  const json = options.json === true;
  const wrong = await readDelivery({ client, identifier: app, id, json });
  const isSameText = title === undefined && body === undefined;
  const translations = given ?? (isSameText ? givenAgain(wrong.translations) : undefined);
  printWarnings({ title, body, url, translations: given });
  const { data } = await bodyOf(
    client.POST('/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/correction', {
      params: { path: { identifier: app, delivery_id: String(id) } },
      headers: { 'idempotency-key': randomUUID() },
      body: {
        title: title ?? wrong.title,
        body: body ?? wrong.body,
        url: url ?? wrong.url,
        action_buttons: wrong.action_buttons,
        ...(wrong.image_url === null ? {} : { image_url: wrong.image_url }),
        ...(wrong.icon_url === null ? {} : { icon_url: wrong.icon_url }),
        ...(wrong.language === null ? {} : { language: wrong.language }),
        ...withoutUndefined({ name, translations }),
      },
    }),
    { translations: '--translations or --main-text-only' },
  );
  if (json) return printJson(data);
  print(
    `Delivery ${id} is stopped, and delivery ${data.id} corrects it. broadside deliveries watch --app ${app} ${data.id}`,
  );
}
