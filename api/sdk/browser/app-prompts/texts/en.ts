import type { Texts } from '../texts.ts';

export const en: Texts = {
  question: 'Get the news as it happens?',
  benefit: 'Even while this page is closed. You can turn it off at any time.',
  accept: 'Yes, notify me',
  later: 'Not now',
  winBack:
    'Your browser has turned off notifications from this site, because you had not been here for a while. Turn them on again?',
  choose: 'What about?',
  subscribe: 'Turn notifications on',
  unsubscribe: 'Turn notifications off',
  subscribed: 'Notifications are on.',
  unsubscribed: 'Notifications are off.',
  denied: 'Notifications are blocked. Allow them in your browser’s settings for this site.',
  homeScreen:
    'To get notifications here, tap Share, then “Add to Home Screen” with “Open as Web App” on, and open the page from there.',
  failed: 'That did not work. Try again later.',
  close: 'Close',
  quiet: 'Did your browser not ask, or show only a crossed-out bell in the address bar?',
  showHow: 'Show me how to allow it',
  helpTitle: 'How to turn notifications on',
  helpEnd: 'Then load this page again.',
  help: {
    chromeDesktop: [
      'Click the icon to the left of the page’s address.',
      'Open “Site settings”.',
      'Next to “Notifications”, choose “Allow”.',
    ],
    chromeAndroid: [
      'Tap the icon to the left of the page’s address.',
      'Tap “Permissions”, then “Notifications”.',
      'Switch “Show notifications” on.',
      'Where that is grey, allow Chrome notifications in the Android settings under “Apps” first.',
    ],
    edge: [
      'Click the icon to the left of the page’s address.',
      'Open “Permissions for this site”.',
      'Next to “Notifications”, choose “Allow”.',
    ],
    firefox: [
      'Click the icon to the left of the page’s address.',
      'Next to “Send notifications”, remove “Blocked”.',
      'On Android, tap the lock, then “Notification”, until it says “Allowed”.',
    ],
    safari: [
      'In the menu bar, open “Safari”, then “Settings”.',
      'Choose “Websites”, then “Notifications”.',
      'Next to this site, choose “Allow”.',
    ],
    ios: [
      'Tap “Share”, then “Add to Home Screen” with “Open as Web App” on, and open the site from there.',
      'If it is there already, open the “Settings” app, then “Notifications”.',
      'Choose this site, and switch “Allow Notifications” on.',
    ],
  },
};
