/**
 * The `sub` claim of a VAPID token (RFC 8292, section 2.1): a way to reach the sender, as a `mailto:` or
 * `https:` URL on a name of the public internet. Apple answers 403 to localhost and reserved names, other
 * services to anything else.
 */
export function isVapidSubject(text: string): boolean {
  if (/\s/.test(text)) return false;
  const [, mailHost] = /^mailto:[^@?]+@([^@?/:]+)$/.exec(text) ?? [];
  if (mailHost !== undefined) return isPublicName(mailHost.toLowerCase());
  const url = text.startsWith('https://') ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '' && isPublicName(url.hostname);
}

/** Top-level names that no resolver of the internet knows. */
const reserved = new Set(['localhost', 'invalid', 'local', 'internal']);

/** No address either: of IPv4 the last part is a number, and IPv6 is not a row of labels. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && labels.every(isLabel) && !/^\d+$/.test(last) && !reserved.has(last);
}

const isLabel = (text: string): boolean => /^[a-z0-9_-]+$/.test(text);

/** The subject for messages of an app, from its site; null: there is none, and nothing may be sent. */
export type SubjectOf = (siteDomain: string) => string | null;

/**
 * The operator's subject comes first. Without one it is the app's own site, if that is on https: a text that
 * its publisher typed, so an operator who does not know all publishers should set one.
 * @param lastResort used where neither exists; null: none.
 */
export const createSubjectOf =
  (operator: string | null, lastResort: string | null = null): SubjectOf =>
  (siteDomain) =>
    operator ?? (isVapidSubject(siteDomain) ? siteDomain : lastResort);
