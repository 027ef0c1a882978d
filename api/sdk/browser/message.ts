import { withoutClick } from './click-address.ts';

/** The options of a shown notification, from the message of `engine/notification/notification.ts`. */
export interface Message {
  /** Empty: it cannot be read. */
  readonly title: string;
  readonly options: NotificationOptions & {
    readonly data: Kept;
    readonly actions: readonly { readonly action: string; readonly title: string }[];
  };
}

/** Stored in a shown notification: its origin and its link. */
export interface Kept {
  readonly app: string;
  readonly delivery: string;
  /** Empty: of no delivery. */
  readonly proof: string;
  readonly navigate: string;
  /** By the button's name. */
  readonly actions: Readonly<Record<string, string>>;
  /** The icon of the installed app counts it, as long as nobody has opened it. */
  readonly counts?: boolean;
}

/** Null: another sender's notification. */
export const keptOf = ({ data }: Notification): Kept | null =>
  typeof data?.proof === 'string' && typeof data.navigate === 'string' ? (data as Kept) : null;

interface Button {
  readonly action: string;
  readonly title: string;
  readonly navigate: string;
}

/** Not all of it is known to every browser's types. */
interface Sent {
  readonly title: string;
  readonly navigate: string;
  readonly actions?: readonly Button[];
  readonly data?: { readonly app: string; readonly delivery: string; readonly proof: string } | null;
  readonly app_badge?: number;
}

/** The parts of a push event with its message. */
export interface Pushed {
  readonly data: { json(): unknown } | null;
  /** The browser knows Declarative Web Push: it read the message itself, and gives no data. */
  readonly notification?: Sent | null;
  /** Likewise: what the message says of the app's icon. */
  readonly appBadge?: number | null;
}

const WEB_PUSH = 8030;

/** The browser's names of notification options, as far as messages have them. */
const shownNames = [
  ...['body', 'tag', 'image', 'icon', 'badge', 'timestamp', 'lang', 'dir'],
  ...['requireInteraction', 'silent', 'vibrate', 'renotify'],
];

/** Null: another sender's message, which the site's own worker may know. */
export function readMessage(event: Pushed): Message | null {
  const sent = event.notification ?? sentIn(event.data);
  if (!sent?.data?.proof) return null;
  const { title, data } = sent;
  const actions = [...(Array.isArray(sent.actions) ? sent.actions : [])] as readonly Button[];
  const kept: Kept = {
    ...data,
    navigate: linkOf(sent.navigate),
    counts: isGiven(event.appBadge ?? sent.app_badge),
    actions: Object.fromEntries(actions.map(({ action, navigate }) => [action, linkOf(navigate)])),
  };
  const buttons = actions.map(({ action, title }) => ({ action, title }));
  // Of a second copy `tag` replaces the first, without a second alert: only a correction has `renotify`.
  const options = { ...shownOf(sent), actions: buttons, data: kept } as Message['options'];
  return { title: typeof title === 'string' ? title : '', options };
}

/** The site itself where it cannot be read: a click always leads somewhere. */
const linkOf = (url: unknown): string => (typeof url === 'string' ? withoutClick(url) : '/');

/** The browser's own notification has all options; absent ones are empty or false. */
const shownOf = (sent: Sent): object =>
  Object.fromEntries(
    shownNames
      .map((name) => [name, (sent as unknown as Record<string, unknown>)[name]])
      .filter(([, value]) => isGiven(value)),
  );

const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

function sentIn(data: Pushed['data']): Sent | null {
  try {
    const json = data?.json() as { readonly web_push?: number; readonly notification?: Sent } | null;
    return json?.web_push === WEB_PUSH ? (json.notification ?? null) : null;
  } catch {
    return null;
  }
}
