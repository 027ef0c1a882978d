/** Apps: their list, the first one, and one's overview. */
export const apps = {
  apps: {
    title: 'Apps',
    description: 'An app is one of your sites: it has its own subscribers, notifications and settings.',
    create: 'Create an app',
    list: 'Your apps',
    name: 'Name',
    active: 'Active subscribers',
    created: 'Created',
    emptyTitle: 'Create your first app',
    empty: 'An app is one of your sites. It takes a minute: give it a name and the address of the site.',
  },
} as const;
