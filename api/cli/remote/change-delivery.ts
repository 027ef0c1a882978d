import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions } from './connection.ts';
import { withoutUndefined } from './option-parsers.ts';
import { printWarnings } from './print-warnings.ts';
import { readTranslations } from './translations-file.ts';
import { summaryOf } from './watch-delivery.ts';

interface ChangeOptions extends RemoteOptions {
  readonly app: string;
  readonly title?: string;
  readonly body?: string;
  readonly url?: string;
  readonly name?: string;
  readonly language?: string;
  readonly translations?: string;
  readonly at?: string;
  readonly expires?: string;
  readonly now?: boolean;
}

/** What is not said again stays. */
export async function changeDelivery(id: number, { app, ...options }: ChangeOptions): Promise<void> {
  const { title, body, url, name, language, at, expires, now } = options;
  if (now === true && at !== undefined) throw new CliError('Use either --now or --at, not both.');
  const time = now === true ? { scheduled_at: null } : { scheduled_at: at };
  const translations = await readTranslations(options.translations);
  const changes = withoutUndefined({
    title,
    body,
    url,
    name,
    language,
    translations,
    expires_at: expires,
    ...time,
  });
  if (Object.keys(changes).length === 0)
    throw new CliError(
      'give at least one change: --title, --body, --url, --name, --language, --translations, --at, --now or --expires.',
    );
  printWarnings(changes);
  const { data } = await bodyOf(
    connect(options).PATCH('/api/v1/client/apps/{identifier}/deliveries/{delivery_id}', {
      params: { path: { identifier: app, delivery_id: String(id) } },
      body: changes,
    }),
    { scheduled_at: '--at', expires_at: '--expires', translations: '--translations', language: '--language' },
  );
  if (options.json === true) return printJson(data);
  print(
    data.scheduled_at === null
      ? summaryOf(data)
      : `Delivery ${id} is changed: scheduled for ${data.scheduled_at}.`,
  );
}
