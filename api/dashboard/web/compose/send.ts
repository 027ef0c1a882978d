import { type Api, dataOf } from '../http/api.ts';
import { bodyOfCampaign, isCampaign } from './campaign.ts';
import { bodyOfValues, type ComposeValues, type NewDelivery } from './values.ts';

const path = '/api/v1/client/apps/{identifier}/deliveries';

/** What was created, and the number of its page. */
export interface Created {
  readonly kind: 'delivery' | 'campaign';
  readonly id: number;
}

/** Creates a campaign where the values ask for one, and a delivery else. @param zone the app's own. */
export async function create(
  api: Api,
  app: { readonly identifier: string; readonly time_zone: string },
  values: ComposeValues,
  key: string,
): Promise<Created> {
  if (!isCampaign(values)) {
    const { id } = await createDelivery(api, app.identifier, values, key);
    return { kind: 'delivery', id };
  }
  const { id } = await dataOf(
    api.POST('/api/v1/client/apps/{identifier}/campaigns', {
      params: { path: { identifier: app.identifier }, header: { 'idempotency-key': key } },
      body: bodyOfCampaign(values, app.time_zone),
    }),
  );
  return { kind: 'campaign', id };
}

/** Creates the delivery; the same key with the same values creates it once, however often it is sent. */
function createDelivery(api: Api, app: string, values: ComposeValues, key: string) {
  const body = bodyOfValues(values);
  const params = { path: { identifier: app }, header: { 'idempotency-key': key } };
  const file = values.image === 'file' ? values.image_file : null;
  return dataOf(
    file === null
      ? api.POST(path, { params, body })
      : api.POST(path, { params, body, bodySerializer: () => formOf(body, file) }),
  );
}

/** A file travels in a form, and the other fields beside it as text. */
function formOf(body: NewDelivery, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.append('image_url', file);
  return form;
}

/**
 * Idempotency keys: the same values have the same key until they are known to be sent. So a second click, and a
 * retry after a lost answer, send nothing twice.
 */
export interface SendKeys {
  keyFor(values: ComposeValues): string;
  /** It is sent: the same again would be meant. */
  used(): void;
}

const KEY_BYTES = 16;

export function createSendKeys(): SendKeys {
  let last: { readonly text: string; readonly key: string } | null = null;
  return {
    keyFor(values) {
      const text = JSON.stringify([values, fileMark(values.image_file)]);
      if (last?.text !== text) last = { text, key: newKey() };
      return last.key;
    },
    used() {
      last = null;
    },
  };
}

const fileMark = (file: File | null): unknown =>
  file === null ? null : [file.name, file.size, file.lastModified];

/** By hand: `randomUUID` is there on https and localhost alone. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
