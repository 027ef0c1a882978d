import {
  type Converted,
  type Fields,
  firstOf,
  isGiven,
  isoOf,
  isRegistrationToken,
  REGISTRATION_TOKEN,
  type Source,
  textOf,
} from './source.ts';

/** Where a record may have the subscription, or its keys, one level down. */
const nests = ['subscription', 'subscriptionOptions', 'push_subscription', 'web', 'keys'] as const;
const tokens = ['token', 'fcm_token', 'fcmToken', 'registration_token', 'registrationToken'];
const keyNames = ['vapid_key', 'vapidKey', 'applicationServerKey', 'applicationPubKey'];
/** Of an account: several browsers may share it, and of a user identity only one can be a browser's. */
const accountNames = ['user_id', 'userId'];
const createdNames = ['created_at', 'createdAt', 'createTime'];
const seenNames = ['last_seen_at', 'last_active', 'updated_at', 'updatedAt'];
const zoneNames = ['time_zone', 'timezone', 'timeZone'];

const columns = [['endpoint'], ['p256dh'], ['auth']];
const known = new Set([
  ...[
    'endpoint',
    'p256dh',
    'auth',
    'expirationTime',
    'swScope',
    'tags',
    'external_ids',
    'language',
    'country',
  ],
  ...['device_type', 'device', ...nests, ...tokens, ...keyNames],
  ...['user_identity', ...accountNames, ...createdNames, ...seenNames, ...zoneNames],
]);

/** What sites that send with a library such as `web-push` keep: a browser's `JSON.stringify(subscription)`. */
export const webPush: Source = {
  name: 'webpush',
  title: 'a server of your own (web-push)',
  columns,
  howToGetThem: 'write out what the browsers’ subscriptions hold: endpoint, keys.p256dh, keys.auth',
  known,
  convert,
};

/** What a site with Firebase's SDK may have kept beside its tokens: `subscriptionOptions`, or FCM's `web`. */
export const firebase: Source = {
  name: 'firebase',
  title: 'Firebase',
  columns: [['endpoint', ...tokens]],
  howToGetThem:
    'name the column of the endpoints endpoint, those of the keys p256dh and auth, that of the tokens token',
  known,
  convert,
};

function convert(given: Fields): Converted {
  const fields = flat(given);
  const endpoint = textOf(fields.endpoint);
  const token = textOf(firstOf(fields, tokens));
  if (endpoint === '' && token !== '') return { lost: REGISTRATION_TOKEN };
  if (isRegistrationToken(endpoint)) return { lost: REGISTRATION_TOKEN };
  return {
    fields: {
      endpoint,
      p256dh: textOf(fields.p256dh),
      auth: textOf(fields.auth),
      vapid_key: firstOf(fields, keyNames),
      user_identity: fields.user_identity,
      external_ids: externalIdsOf(fields),
      tags: fields.tags,
      language: fields.language,
      country: fields.country,
      device_type: isGiven(fields.device_type) ? fields.device_type : fields.device,
      time_zone: firstOf(fields, zoneNames),
      created_at: isoOf(firstOf(fields, createdNames)),
      last_seen_at: isoOf(firstOf(fields, seenNames)),
    },
  };
}

function externalIdsOf(fields: Fields): unknown {
  const account = textOf(firstOf(fields, accountNames));
  const given = typeof fields.external_ids === 'string' ? parsed(fields.external_ids) : fields.external_ids;
  if (account === '') return fields.external_ids;
  // What is not an object is refused later, as it stands there.
  if (isGiven(given) && (typeof given !== 'object' || Array.isArray(given))) return fields.external_ids;
  return { external_user_id: account, ...(given as object | null) };
}

/** The record with what lies one or two levels down beside it; in CSV a subscription may be JSON text. */
function flat(given: Fields): Fields {
  let fields = given;
  for (const name of nests) {
    const inner = typeof fields[name] === 'string' ? parsed(fields[name]) : fields[name];
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
      fields = { ...fields, ...inner };
  }
  return fields;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
