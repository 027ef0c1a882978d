import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { Body } from '../../http-client/client.ts';
import { withoutUndefined } from './option-parsers.ts';
import { readTranslations } from './translations-file.ts';

type DeliveryBody = Body<'/api/v1/client/apps/{identifier}/deliveries', 'post'>;

/** The command line's fields of a delivery. */
export interface SendFields {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly name?: string;
  /** A URL, or a file here. */
  readonly image?: string;
  /** Likewise. */
  readonly icon?: string;
  /** BCP 47, of the texts above. */
  readonly language?: string;
  /** A file of JSON. */
  readonly translations?: string;
  readonly button?: readonly { readonly title: string; readonly url: string }[];
  readonly segment?: number;
  readonly category?: number;
  readonly at?: string;
  readonly expires?: string;
  readonly ttl?: number;
  readonly topic?: string;
  readonly rate?: number;
  readonly urgency?: NonNullable<DeliveryBody['urgency']>;
  readonly lane?: NonNullable<DeliveryBody['lane']>;
  readonly requireInteraction?: boolean;
  readonly ignoreFrequencyCap?: boolean;
  readonly rehearsal?: boolean;
  readonly duplicateGuard?: number;
  readonly confirmDuplicate?: boolean;
  readonly duringQuietHours?: NonNullable<DeliveryBody['during_quiet_hours']>;
}

/** JSON; multipart where the image or the icon is a file. @throws CliError where a file cannot be read. */
export async function deliveryBodyOf(fields: SendFields): Promise<{
  readonly body: DeliveryBody;
  readonly bodySerializer?: (body: object) => FormData;
}> {
  const translations = await readTranslations(fields.translations);
  const pictures = { image_url: fields.image, icon_url: fields.icon };
  const body = withoutUndefined({ ...jsonOf(fields), translations });
  const files: [string, File][] = [];
  for (const [field, given] of Object.entries(withoutUndefined(pictures))) {
    if (isAddress(given)) Object.assign(body, { [field]: given });
    else files.push([field, new File([await readImage(given)], basename(given))]);
  }
  return files.length === 0 ? { body } : { body, bodySerializer: (sent) => formOf(sent, files) };
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

const jsonOf = (fields: SendFields): DeliveryBody =>
  withoutUndefined({
    name: fields.name ?? fields.title,
    title: fields.title,
    body: fields.body,
    url: fields.url,
    language: fields.language,
    action_buttons: fields.button === undefined ? undefined : [...fields.button],
    segment_id: fields.segment,
    delivery_category_id: fields.category,
    scheduled_at: fields.at,
    expires_at: fields.expires,
    ttl_seconds: fields.ttl,
    topic: fields.topic,
    rate_per_minute: fields.rate,
    urgency: fields.urgency,
    lane: fields.lane,
    require_interaction: fields.requireInteraction,
    ignore_frequency_cap: fields.ignoreFrequencyCap,
    rehearsal: fields.rehearsal,
    during_quiet_hours: fields.duringQuietHours,
    duplicate_guard_hours: fields.duplicateGuard,
    confirm_duplicate: fields.confirmDuplicate,
  });

/** The options of these fields, for what the API says about them. */
export const optionOfField = {
  name: '--name',
  title: '--title',
  body: '--body',
  url: '--url',
  language: '--language',
  translations: '--translations',
  image_url: '--image',
  icon_url: '--icon',
  action_buttons: '--button',
  segment_id: '--segment',
  delivery_category_id: '--category',
  scheduled_at: '--at',
  expires_at: '--expires',
  ttl_seconds: '--ttl',
  topic: '--topic',
  rate_per_minute: '--rate',
  urgency: '--urgency',
  lane: '--lane',
  require_interaction: '--require-interaction',
  ignore_frequency_cap: '--ignore-frequency-cap',
  during_quiet_hours: '--during-quiet-hours',
  duplicate_guard_hours: '--duplicate-guard',
  confirm_duplicate: '--confirm-duplicate',
} as const satisfies Readonly<Partial<Record<keyof DeliveryBody, string>>>;

function formOf(body: object, files: readonly (readonly [string, File])[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const [field, file] of files) form.set(field, file);
  return form;
}

async function readImage(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CliError(`cannot read the image ${file}: ${(error as Error).message}`, { cause: error });
  }
}
