/** One app at a glance, how it is put into a site, and its keys. */
export const overview = {
  overview: {
    compose: 'New notification',
    active: 'Active subscribers',
    activeHint: 'Readers whom the next notification reaches',
    all: 'All subscribers',
    allHint: 'With those who unsubscribed',
    share: 'Still subscribed',
    shareHint: 'Of all who ever subscribed',
    last: 'Last notification',
    sent: (sent: string, rate: string): string => `sent to ${sent} readers, ${rate} clicked`,
  },
  checks: {
    title: 'Setup',
    hint: 'What notifications need to reach your readers.',
    allDone: 'Everything is set up: https, VAPID key, snippet and a first notification.',
    states: { done: 'done', next: 'to do next', waits: 'later', wrong: 'needs attention' },
    key: {
      done: 'The app has its VAPID key',
      open: 'The app has no VAPID key',
      hint: 'Push services know the app by it. Start a rotation to make one.',
      act: 'To the keys',
    },
    https: {
      done: 'The site is served over https',
      open: 'The site is not served over https',
      hint: 'Browsers allow notifications on secure pages alone. Serve the site over https and change its address here.',
      act: 'To the settings',
    },
    subscribed: {
      done: 'A reader has subscribed: the snippet works',
      open: 'Put the snippet into your site and subscribe yourself',
      hint: 'Nobody has subscribed yet. As soon as somebody does, it shows here by itself.',
      act: 'Show the snippet',
    },
    sent: {
      done: 'A notification was sent',
      open: 'Send the first notification',
      hint: 'Try it on yourself: for now you are the only reader it reaches.',
      act: 'Write it',
    },
  },
  integration: {
    title: 'Integration',
    description: (site: string): string =>
      `Two snippets put notifications into ${site}. Copy them as they are.`,
    identifier: 'App identifier',
    worker: '1. A file on your site',
    workerHint: (path: string): string =>
      `Browsers receive notifications through it. Save it as ${path} at the root of your site.`,
    page: '2. A snippet in every page',
    pageHint:
      'Before the closing </body>. It shows a bell in the corner; who clicks it is asked for the permission.',
    test: '3. Try it',
    testHint:
      'Open your site, click the bell and allow notifications. The overview then shows your first subscriber, and you can send to yourself.',
    toOverview: 'To the overview',
    tryHere: 'Or try it in this browser',
    tryHereHint:
      'The example page of your own Broadside: no site needed. Turn notifications on there, then compose one. It works as long as Broadside is on this machine alone.',
    openExample: 'Open the example page',
    more: 'More ways',
    existing: 'Your site has a service worker already',
    existingHint:
      'Leave out the file of step 1. Put this line at the top of your worker instead, and name it in init with workerUrl.',
    module: 'Your pages are built from modules',
    moduleHint: 'The same as an ES module, with types. Tags sort your readers into segments.',
    policy: 'Your site has a content security policy',
    policyHint: 'Allow the address of Broadside in it:',
    policyText: (origin: string): string => `script-src ${origin}; connect-src ${origin}; worker-src 'self'`,
    ios: 'iPhone and iPad',
    iosHint:
      'Safari there shows notifications of web apps on the home screen alone (from iOS 16.4). Your site needs a web app manifest with "display": "standalone". Readers choose Share, then Add to Home Screen, open it from there and click the bell; until then the bell tells them so.',
    prompt: 'How readers are asked',
    promptHint:
      'prompt: { kind: "bell" } floats in a corner, "bar" lies at an edge after some seconds, "element" uses a button of your own: { kind: "element", element: "#notify" }. Texts and colours can be set. Browsers are never asked without a click.',
  },
  keys: {
    title: 'VAPID keys',
    description:
      'Push services know your app by its key, and every subscription is bound to the one it was made with. Change it only if its private half may have become known.',
    adminsOnly: 'Only admins change it.',
    list: 'VAPID keys',
    id: 'Key',
    state: 'State',
    subscriptions: 'Subscriptions on it',
    created: 'Made',
    ended: 'Ended',
    copyPublic: 'Copy public key',
    states: { active: 'Active', retiring: 'Retiring', ended: 'Ending', retired: 'Retired' },
    rotate: 'Rotate the key',
    rotateQuestion: 'Rotate the key?',
    rotateText:
      'A new key becomes the active one. Readers move to it by themselves as they visit your site; until then they are reached with the old one. It takes as long as your readers take to come back.',
    rotated: 'The new key is active. Readers move to it as they visit your site.',
    progress: 'Rotation',
    progressText: (moved: string, all: string): string =>
      `${moved} of ${all} subscriptions are on the new key.`,
    end: 'End the old key',
    endQuestion: 'End the old key?',
    endText: (left: string): string =>
      `${left} subscriptions are still on the old key. They are unsubscribed, and these readers must subscribe anew when they visit your site. This cannot be taken back.`,
    endAct: 'End it for good',
    endDone: 'The old key ends. Its subscriptions are being unsubscribed.',
  },
} as const;
