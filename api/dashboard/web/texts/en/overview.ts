import { locale } from '../language.ts';
import { plural } from './plural.ts';

const places = { above: 'Above typical', below: 'Below typical', within: 'Typical' } as const;

/** One app at a glance, how it is put into a site, and its keys. */
export const overview = {
  overview: {
    lines: {
      variant: (number: string): string => `Variant ${number}`,
      winner: 'Winner',
      before: 'Before: corrected',
      after: 'After: correction',
      test: (count: number): string => `A/B test, deliveries: ${count}`,
    },
    compose: 'New notification',
    readers: 'Readers',
    active: 'Readers',
    activeHint: 'Subscribed now',
    reachable: 'Reachable',
    reachableHint: (share: string): string => `${share} of them were seen in the last 30 days`,
    joined: 'New',
    week: 'In the last 7 days',
    left: 'Left',
    leftHint: 'Unsubscribed, last 7 days',
    net: 'Net',
    netHint: 'New minus left',
    last: 'Last notifications',
    lastAbout: 'Each beside the click rate that is typical for its hour, on working days or weekends.',
    lastNone: 'Nothing has been sent yet.',
    allDeliveries: 'All deliveries',
    young: 'Clicks are still coming in',
    typical: (from: string, to: string, place: 'above' | 'below' | 'within' | null): string =>
      `${place === null ? '' : `${places[place]}: `}${from} – ${to}`,
    scheduled: 'Scheduled',
    scheduledNone: 'Nothing is scheduled.',
    needs: {
      handed: 'was handed over to you.',
      title: 'Needs attention',
      failed: 'failed: it reached no reader.',
      troubled: 'failed for many readers.',
      stuck: 'has been sending for more than half an hour.',
      decide: 'is waiting for you to choose the winner.',
      unreadable: 'cannot be read: nothing new is sent from it.',
      drafts: (count: number): string =>
        plural(
          count,
          'has a draft waiting for your decision.',
          `has ${count} drafts waiting for your decision.`,
        ),
      service: (service: string, count: string): string =>
        `${service} refused ${count} ${plural(count, 'message', 'messages')} in the last two days.`,
      throttled: (service: string, times: number, shown: string): string =>
        `${service} throttled this app ${plural(times, 'once', `${shown} times`)} today or yesterday (UTC): it was sending faster than ${service} accepts.`,
    },
  },
  checks: {
    title: 'Setup',
    hint: 'The steps until notifications reach your readers.',
    states: {
      done: 'done',
      next: 'to do next',
      waits: 'later',
      wrong: 'needs attention',
      advice: 'recommended',
    },
    key: {
      done: 'The app has its VAPID key',
      open: 'The app has no VAPID key',
      hint: (): string => 'It identifies the app to push services. Start a rotation to create one.',
      act: (): string => 'Go to keys',
    },
    https: {
      done: 'The site’s address begins with https',
      open: 'The site is not served over https',
      hint: (): string =>
        'Browsers allow notifications only on secure pages. Serve the site over https and change its address here.',
      act: (): string => 'Go to settings',
    },
    subscribed: {
      done: 'A reader has subscribed on your site: the snippet works',
      open: 'Put the snippet into your site and subscribe yourself',
      hint: (readers: number): string =>
        readers === 0
          ? 'No one has subscribed yet. The first subscriber shows here automatically.'
          : 'Your subscribers were imported, and none of their browsers has been on your site since. The first one shows here automatically.',
      hintHere:
        'Try it without a site first: turn notifications on in the example page of this Broadside. The first subscriber shows here automatically.',
      act: (): string => 'Show the snippet',
    },
    sent: {
      done: 'A notification was sent',
      open: 'Send the first notification',
      hint: (readers: number): string =>
        readers <= 1
          ? 'Try it on yourself: for now you are its only reader.'
          : 'It goes to all of them. For a test, choose a segment of your own, or rehearse it: a rehearsal reaches no one.',
      act: (readers: number): string =>
        readers <= 1 ? 'Write it' : `Write to ${readers.toLocaleString(locale)} readers`,
    },
    icon: {
      done: 'Notifications have your icon',
      open: 'Notifications have no icon yet',
      hint: (): string => 'It is what every reader sees first. Without it, Chrome on Android draws a letter.',
      act: (): string => 'Choose an icon',
    },
    iphone: {
      done: 'Readers with an iPhone can subscribe',
      open: 'Readers with an iPhone cannot subscribe yet',
      unknown: 'Whether readers with an iPhone can subscribe is not known',
      unknownHint: 'Your front page could not be read from the internet, so it could not be checked.',
      hint: (): string =>
        'Your site lacks something that iPhones and iPads ask for. The other readers are not affected.',
      act: (): string => 'Show what is missing',
    },
  },
  integration: {
    title: 'Integration',
    description: (site: string): string =>
      `Two snippets put notifications into ${site}. Copy them as they are.`,
    descriptionHere: (site: string): string =>
      `Two snippets put notifications into ${site}. They name this machine, which readers cannot reach: to try it here they are right; for readers, set PUBLIC_BASE_URL to the address of this Broadside, restart it, and copy them then.`,
    identifier: 'App identifier',
    worker: '1. A file on your site',
    workerHint: (path: string): string =>
      `Browsers receive notifications through it. Save it as ${path} at the root of your site.`,
    page: '2. A snippet in every page',
    pageHint:
      'Before the closing </body>. It shows a bell in the corner; a click on it asks for the permission.',
    test: '3. Try it',
    testHint:
      'Open your site, click the bell and allow notifications. The overview then shows your first subscriber, and you can send to yourself.',
    toOverview: 'Go to overview',
    tryHere: 'Try it in this browser first',
    tryHereHint:
      'The example page of your own Broadside: no site needed. Turn notifications on there, then compose one. It works only while Broadside runs on this machine.',
    openExample: 'Open the example page',
    more: 'Other ways',
    existing: 'Your site already has a service worker',
    existingHint:
      'Leave out the file of step 1. Put this line at the top of your worker instead, and name it in init with workerUrl.',
    module: 'Your pages are built from modules',
    moduleHint: 'The same as an ES module, with types. Tags sort your readers into segments.',
    moving: {
      title: 'You are moving from another service',
      hint: 'Readers whom you import know their worker’s old address alone. Put this file there, and let every page name it.',
      service: 'Service',
      ownServer: 'Your own server',
      beside: (path: string): string => `At the old address, while both services send: ${path}`,
      worker: (path: string): string => `At the old address, once the other one sends nothing: ${path}`,
      page: 'In every page, instead of step 2',
      guide: 'Guide to the whole move',
    },
    policy: 'Your site has a content security policy',
    policyHint: 'Allow the address of Broadside in it:',
    policyText: (origin: string): string => `script-src ${origin}; connect-src ${origin}; worker-src 'self'`,
    iphone: {
      title: 'iPhone and iPad',
      hint: 'Safari there shows notifications only of sites on the home screen (from iOS 16.4). For that your site needs a web app manifest. Readers then choose Share, Add to Home Screen with “Open as Web App” on, open it from there and click the bell; until then the bell explains this.',
      check: 'Check your site',
      again: 'Check again',
      ready: 'Your site is ready: readers can add it to their home screen and subscribe.',
      missing: 'iPhones and iPads get no notifications yet. What is missing:',
      unknown: 'Your site could not be checked:',
      poor: 'iPhones and iPads are reached. What would be better:',
      manifest: 'Manifest: ',
      findings: {
        page_unreachable:
          'The front page could not be read from the internet within 5 seconds. Is the address in the settings right, and the page public?',
        manifest_missing:
          'The front page names no web app manifest. Put this into its head: <link rel="manifest" href="/manifest.json">',
        manifest_unreachable:
          'The manifest could not be read. Its address must answer without a log-in, with at most 64 KB.',
        manifest_invalid: 'The manifest is not a JSON object.',
        display:
          'The manifest needs "display": "standalone". Without it the icon opens Safari, which has no notifications there.',
        start_url:
          '"start_url" in the manifest must be a page of this site, within its "scope". Otherwise the icon opens another one.',
        name: 'The manifest needs a "name": it stands below the icon and in every notification.',
        icon: 'The home screen would not show your icon. Name a PNG of at least 180 × 180 pixels in "icons", or as <link rel="apple-touch-icon">.',
      },
    },
    prompt: 'Prompt',
    promptHint:
      'prompt: { kind: "bell" } floats in a corner, "bar" lies at an edge after some seconds, "element" uses a button of your own: { kind: "element", element: "#notify" }. Texts and colours can be set. Browsers are never asked without a click.',
  },
  keys: {
    title: 'VAPID keys',
    description:
      'Its key identifies your app to push services, and every subscription is bound to one key. Change it only if the private key may have leaked.',
    adminsOnly: 'Only admins can change it.',
    list: 'VAPID keys',
    id: 'Key',
    state: 'State',
    subscriptions: 'Subscriptions',
    created: 'Created',
    ended: 'Ended',
    copyPublic: 'Copy public key',
    states: { active: 'Active', retiring: 'Retiring', ended: 'Ending', retired: 'Retired' },
    rotate: 'Rotate key',
    rotateQuestion: 'Rotate the key?',
    rotateText:
      'A new key becomes the active one. Readers move to it automatically as they visit your site; until then the old one reaches them.',
    rotated: 'The new key is active. Readers move to it as they visit your site.',
    progress: 'Rotation',
    progressText: (moved: string, all: string): string =>
      `${moved} of ${all} ${plural(all, 'subscription is', 'subscriptions are')} on the new key.`,
    end: 'End old key',
    endQuestion: 'End the old key?',
    endText: (left: string): string =>
      `${left} ${plural(left, 'subscription is', 'subscriptions are')} still on the old key. Such readers are unsubscribed, and must subscribe again when they visit your site. This cannot be undone.`,
    endAct: 'End old key permanently',
    endDone: 'The old key ends. Its subscriptions are being unsubscribed.',
  },
} as const;
