/*
 * What each browser draws of a notification: the previews read it, and a test in real browsers compares it with what
 * they keep. Lengths are in Latin letters, at the devices' own size of letters; makers publish none, so they are what
 * vendors of push services measured.
 */

export interface Lengths {
  readonly title: number;
  readonly body: number;
}

/** Fields of a notification that `getNotifications()` gives back. */
export interface Taken {
  readonly icon: boolean;
  readonly badge: boolean;
  readonly image: boolean;
  readonly dir: boolean;
  /** How many; `Notification.maxActions` where a browser has it. */
  readonly actions: number;
}

export interface BrowserLook {
  readonly id: string;
  /** The same in every language. */
  readonly name: string;
  readonly maker: 'chrome' | 'edge' | 'firefox' | 'safari';
  readonly frame: 'windows' | 'mac' | 'android';
  readonly takes: Taken;
  /** Where the notification's icon stands; null: nowhere. */
  readonly icon: 'start' | 'end' | null;
  /** What stands there without one. */
  readonly withoutIcon: 'letter' | 'nothing';
  /** What stands at the start whatever the notification says. */
  readonly always: 'browser' | 'site' | 'app' | null;
  /** In the first line instead of the browser's mark. */
  readonly badge: boolean;
  readonly image: 'above' | 'below' | null;
  /** How many are shown. */
  readonly buttons: number;
  /** The browser's own button after them. */
  readonly ownButton: 'unsubscribe' | 'settings' | null;
  /** Before the reader unfolds it: neither image nor buttons. Null: it is shown whole at once. */
  readonly folded: Lengths | null;
  readonly open: Lengths;
  /** Public pages that say so. */
  readonly sources: readonly string[];
}

const braze =
  'https://www.braze.com/docs/user_guide/channels/push/create_a_push_message/message_and_image_formats';
const compatibility = 'https://developer.mozilla.org/docs/Web/API/Notification#browser_compatibility';
const chromium = 'https://chromium.googlesource.com/chromium/src/+/main/chrome';
const windowsToast = `${chromium}/browser/notifications/win/notification_template_builder.cc`;

const chromiumTakes: Taken = { icon: true, badge: true, image: true, dir: true, actions: 2 };
/** Actions from Firefox 152 on. */
const firefoxTakes: Taken = { icon: true, badge: false, image: false, dir: true, actions: 2 };
const webkitTakes: Taken = { icon: false, badge: false, image: false, dir: true, actions: 0 };

/** Windows draws all of it, for whichever browser. */
const windows = {
  frame: 'windows',
  icon: 'start',
  withoutIcon: 'nothing',
  always: null,
  badge: false,
  buttons: 2,
  ownButton: null,
  folded: null,
} as const;

const android = {
  frame: 'android',
  icon: 'end',
  always: null,
  folded: { title: 35, body: 50 },
  // Android gives a title one line in either state.
  open: { title: 35, body: 597 },
} as const;

export const browsers = [
  {
    ...windows,
    id: 'chrome-windows',
    name: 'Chrome, Windows',
    maker: 'chrome',
    takes: chromiumTakes,
    image: 'above',
    open: { title: 50, body: 120 },
    sources: [braze, compatibility, windowsToast],
  },
  {
    id: 'chrome-macos',
    name: 'Chrome, macOS',
    maker: 'chrome',
    frame: 'mac',
    takes: chromiumTakes,
    icon: 'end',
    withoutIcon: 'nothing',
    always: 'browser',
    badge: false,
    image: null,
    buttons: 2,
    ownButton: 'settings',
    folded: { title: 35, body: 50 },
    open: { title: 35, body: 50 },
    sources: [braze, compatibility, 'https://developer.chrome.com/blog/native-mac-os-notifications'],
  },
  {
    ...android,
    id: 'chrome-android',
    name: 'Chrome, Android',
    maker: 'chrome',
    takes: chromiumTakes,
    withoutIcon: 'letter',
    badge: true,
    image: 'below',
    buttons: 2,
    ownButton: 'unsubscribe',
    sources: [
      braze,
      compatibility,
      `${chromium}/android/java/src/org/chromium/chrome/browser/notifications/NotificationBuilderBase.java`,
      'https://blog.google/chromium/fighting-unwanted-notifications-wi/',
    ],
  },
  {
    ...windows,
    id: 'edge',
    name: 'Edge',
    maker: 'edge',
    takes: chromiumTakes,
    image: 'above',
    open: { title: 50, body: 120 },
    sources: [braze, compatibility, windowsToast],
  },
  {
    ...windows,
    id: 'firefox',
    name: 'Firefox',
    maker: 'firefox',
    takes: firefoxTakes,
    image: null,
    open: { title: 54, body: 200 },
    sources: [braze, compatibility],
  },
  {
    // Its own window, as drawn where the desktop draws none: there the desktop decides, and shows the same parts.
    id: 'firefox-linux',
    name: 'Firefox, Linux',
    maker: 'firefox',
    frame: 'windows',
    takes: firefoxTakes,
    icon: 'start',
    withoutIcon: 'nothing',
    always: null,
    badge: false,
    image: null,
    buttons: 0,
    ownButton: null,
    folded: null,
    // Measured in Firefox 153 (`test/browser/notification-looks.test.ts`).
    open: { title: 43, body: 200 },
    sources: [
      'https://searchfox.org/firefox-main/source/toolkit/components/alerts/resources/content/alert.js',
      'https://specifications.freedesktop.org/notification-spec/latest/',
    ],
  },
  {
    ...android,
    id: 'firefox-android',
    name: 'Firefox, Android',
    maker: 'firefox',
    takes: firefoxTakes,
    withoutIcon: 'nothing',
    badge: false,
    image: null,
    buttons: 2,
    ownButton: null,
    sources: [braze, compatibility],
  },
  {
    id: 'safari',
    name: 'Safari',
    maker: 'safari',
    frame: 'mac',
    takes: webkitTakes,
    icon: null,
    withoutIcon: 'nothing',
    always: 'site',
    badge: false,
    image: null,
    buttons: 0,
    ownButton: null,
    folded: null,
    open: { title: 38, body: 84 },
    sources: [braze, compatibility, 'https://webkit.org/b/280162'],
  },
  {
    id: 'iphone',
    name: 'iPhone',
    maker: 'safari',
    frame: 'mac',
    takes: webkitTakes,
    icon: null,
    withoutIcon: 'nothing',
    always: 'app',
    badge: false,
    image: null,
    buttons: 0,
    ownButton: null,
    folded: { title: 30, body: 80 },
    open: { title: 30, body: 160 },
    sources: [
      braze,
      compatibility,
      'https://onesignal.com/blog/push-notification-design-anatomy/',
      'https://webkit.org/b/280162',
    ],
  },
] as const satisfies readonly BrowserLook[];

export const lookOf = (id: string): BrowserLook => browsers.find((each) => each.id === id) ?? browsers[0];
