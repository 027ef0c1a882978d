import type { TextsOf } from '../texts.ts';

/** Apps: their list, the first one, and one's overview. */
export const apps: TextsOf<'apps'> = {
  apps: {
    title: 'Apps',
    description:
      'Eine App ist eine Ihrer Websites, mit eigenen Abonnenten, Benachrichtigungen und Einstellungen.',
    create: 'App erstellen',
    list: 'Ihre Apps',
    name: 'Name',
    active: 'Aktive Abonnenten',
    created: 'Erstellt',
    emptyTitle: 'Erstellen Sie Ihre erste App',
    empty:
      'Eine App ist eine Ihrer Websites. In einer Minute ist sie angelegt: Es genügen ein Name und die Adresse der Website.',
  },
};
