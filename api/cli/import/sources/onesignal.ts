import { type Converted, type Fields, isGiven, isoOf, isTrue, type Source, textOf } from './source.ts';

/** Of `device_type`: what has no web push endpoint. Browsers are 5 (Chrome), 8 (Firefox), 12 (Edge), 17 (Safari). */
const noBrowsers: Readonly<Record<string, string>> = {
  0: 'is an iOS app, and no browser',
  1: 'is an Android app, and no browser',
  2: 'is a Fire OS app, and no browser',
  3: 'is a Windows Phone app, and no browser',
  4: 'is a Chrome extension, and no browser',
  6: 'is a Windows app, and no browser',
  7: 'is Safari’s older push over APNs, which has no endpoint: the reader must subscribe again',
  9: 'is a macOS app, and no browser',
  10: 'is an Alexa device, and no browser',
  11: 'is an e-mail address, and no browser',
  13: 'is a Huawei app, and no browser',
  14: 'is a phone number, and no browser',
};

/** The CSV of `POST /players/csv_export`, with the extra fields that hold the keys. */
export const oneSignal: Source = {
  name: 'onesignal',
  title: 'OneSignal',
  columns: [['identifier'], ['web_auth'], ['web_p256']],
  howToGetThem:
    'ask OneSignal’s CSV export for the extra_fields web_auth and web_p256 (and country, external_user_id, notification_types, timezone_id)',
  known: new Set([
    ...['id', 'identifier', 'web_auth', 'web_p256', 'external_user_id', 'tags', 'language', 'country'],
    ...[
      'timezone_id',
      'created_at',
      'last_active',
      'invalid_identifier',
      'notification_types',
      'device_type',
    ],
  ]),
  convert,
};

function convert(fields: Fields): Converted {
  const other = noBrowsers[textOf(fields.device_type)];
  if (other !== undefined) return { lost: other };
  if (isTrue(fields.invalid_identifier))
    return { lost: 'was unsubscribed at OneSignal (invalid_identifier)' };
  const types = textOf(fields.notification_types);
  if (types !== '' && !(Number(types) > 0))
    return { lost: 'was unsubscribed at OneSignal (notification_types is not positive)' };
  return {
    fields: {
      endpoint: textOf(fields.identifier),
      p256dh: textOf(fields.web_p256),
      auth: textOf(fields.web_auth),
      tags: fields.tags,
      external_ids: externalIdsOf(fields),
      language: textOf(fields.language),
      country: textOf(fields.country),
      time_zone: textOf(fields.timezone_id),
      created_at: isoOf(fields.created_at),
      last_seen_at: isoOf(fields.last_active),
    },
  };
}

/**
 * Not the user identity: that one is a browser's, and several browsers of one account would take turns in one row.
 */
function externalIdsOf({ id, external_user_id: account }: Fields): Fields {
  return {
    ...(isGiven(account) ? { external_user_id: textOf(account) } : {}),
    ...(isGiven(id) ? { onesignal_id: textOf(id) } : {}),
  };
}
