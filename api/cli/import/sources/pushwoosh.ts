import {
  type Converted,
  type Fields,
  firstOf,
  isoOf,
  isRegistrationToken,
  type Source,
  textOf,
} from './source.ts';

/**
 * Pushwoosh's columns are written in several ways (`Push Token`, `push_token`), so they are compared by their letters.
 * What its SDK sends when a browser registers: `push_token`, `public_key` (p256dh), `auth_token` (auth).
 */
const names = {
  token: ['pushtoken', 'token', 'endpoint'],
  p256dh: ['publickey', 'p256dh'],
  auth: ['authtoken', 'auth'],
  hwid: ['hwid', 'deviceid'],
  user: ['userid'],
  type: ['devicetype', 'platform', 'type'],
  language: ['language'],
  country: ['country'],
  timeZone: ['timezone'],
  created: ['firstinstall', 'firstopen', 'created', 'createdat', 'registrationdate'],
  seen: ['lastapplicationopen', 'lastopen', 'lastactive'],
  tags: ['tags'],
} as const;

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** `10` Safari over APNs, `11` Chrome, `12` Firefox, as its SDK has them; below are apps. */
const apns = /^(10|safari)$/i;
const apps = /^([1-9]|ios|android|amazon|windows|mac(os)?|huawei|email|sms|whatsapp)$/i;

export const pushwoosh: Source = {
  name: 'pushwoosh',
  title: 'Pushwoosh',
  columns: [names.token, names.p256dh, names.auth],
  howToGetThem:
    'ask Pushwoosh’s support for an export with public_key and auth_token, because the one of the Control Panel has no keys',
  known: new Set(Object.values(names).flat()),
  nameOf: lettersOf,
  convert,
};

function convert(given: Fields): Converted {
  const fields = Object.fromEntries(Object.entries(given).map(([name, value]) => [lettersOf(name), value]));
  const type = textOf(firstOf(fields, names.type));
  if (apns.test(type))
    return {
      lost: 'is Safari’s older push over APNs, which has no endpoint: the reader must subscribe again',
    };
  if (apps.test(type)) return { lost: 'is an app or another channel, and no browser' };
  const endpoint = endpointOf(textOf(firstOf(fields, names.token)));
  if (endpoint === null)
    return {
      lost: 'push token is neither an endpoint nor Chrome’s part of one: where it was sent to is not known',
    };
  const hwid = textOf(firstOf(fields, names.hwid));
  const user = textOf(firstOf(fields, names.user));
  return {
    fields: {
      endpoint,
      p256dh: textOf(firstOf(fields, names.p256dh)),
      auth: textOf(firstOf(fields, names.auth)),
      tags: firstOf(fields, names.tags),
      // Of an account, or of a device: several browsers may share it.
      external_ids: {
        ...(user === '' || user === hwid ? {} : { external_user_id: user }),
        ...(hwid === '' ? {} : { pushwoosh_hwid: hwid }),
      },
      language: firstOf(fields, names.language),
      country: firstOf(fields, names.country),
      time_zone: firstOf(fields, names.timeZone),
      created_at: isoOf(firstOf(fields, names.created)),
      last_seen_at: isoOf(firstOf(fields, names.seen)),
    },
  };
}

/** Of Chrome, Pushwoosh keeps what follows the last slash of the endpoint alone. Null: it is not an endpoint's. */
function endpointOf(token: string): string | null {
  if (token === '' || /^https?:/i.test(token)) return token;
  return isRegistrationToken(token) ? `https://fcm.googleapis.com/fcm/send/${token}` : null;
}
