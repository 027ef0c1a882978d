const count = (most: number, one: string, many: string): string => (most === 1 ? one : many);

/** What frames every page, and words that all of them use. */
export const shell = {
  product: 'Broadside',
  titleOf: (page: string): string => `${page} · Broadside`,
  skip: 'Skip to the content',
  nav: {
    label: 'Main',
    app: 'This app',
    open: 'Open the menu',
    close: 'Close the menu',
    overview: 'Overview',
    compose: 'Compose',
    deliveries: 'Deliveries',
    subscribers: 'Subscribers',
    segments: 'Segments',
    categories: 'Categories',
    analytics: 'Analytics',
    reports: 'Reports',
    integration: 'Integration',
    appSettings: 'App settings',
    keys: 'VAPID keys',
    apps: 'All apps',
    allApps: 'All apps',
    newApp: 'New app',
    settings: 'Settings',
    tokens: 'API tokens',
    team: 'Team',
    auditLog: 'Audit log',
    organizations: 'Organizations',
    account: 'Your account',
    switchApp: 'Switch app',
    chooseApp: 'Choose an app',
    breadcrumbs: 'Breadcrumbs',
    user: 'Your menu',
  },
  scheme: { label: 'Colours', light: 'Light', dark: 'Dark', auto: 'As the system' },
  actions: {
    save: 'Save',
    cancel: 'Cancel',
    delete: 'Delete',
    edit: 'Edit',
    close: 'Close',
    create: 'Create',
    retry: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    logOut: 'Log out',
    back: 'Back',
    add: 'Add',
    remove: 'Remove',
    actionsOf: (name: string): string => `Actions for ${name}`,
  },
  table: {
    page: (page: number, pages: number): string => `Page ${page} of ${pages}`,
    range: (from: number, to: number, total: string): string => `${from}–${to} of ${total}`,
    pages: 'Pages',
    acts: 'Actions',
    controls: { first: 'First page', last: 'Last page', previous: 'Page before', next: 'Next page' },
    loading: 'Loading …',
  },
  problems: {
    title: 'That did not work',
    loading: 'This could not be loaded',
    unexpected:
      'Something went wrong on this page. Reload it; if it happens again, tell whoever runs Broadside.',
    notFoundTitle: 'There is nothing here',
    notFound: 'It may have been deleted, or the address is wrong.',
    toStart: 'To the start page',
    waiting: (seconds: number): string =>
      `Broadside is busy. Trying again in ${seconds} ${count(seconds, 'second', 'seconds')} …`,
    ofStatus: (status: number): string =>
      statuses[status] ?? (status >= 500 ? broken : 'That was not possible.'),
  },
  never: 'never',
  none: 'none',
} as const;

const broken =
  'Broadside could not do this because of a fault of its own. Try again; if it happens again, tell whoever runs it.';

const statuses: Readonly<Record<number, string>> = {
  0: 'Broadside does not answer. Check your connection and try again.',
  400: 'Broadside did not understand this. Reload the page and try again.',
  401: 'You are no longer logged in.',
  403: 'Your role does not allow this. Ask an admin of your organization.',
  404: 'It is not there any more. Somebody may have deleted it.',
  409: 'Somebody changed this in the meantime. Reload the page and try again.',
  413: 'That is too large.',
  422: 'Something in the form is not right.',
  429: 'Too many requests. Wait a minute and try again.',
  503: 'Broadside is busy or starting. Try again in a moment.',
};
