/** Delivery categories. */
export const categories = {
  categories: {
    title: 'Categories',
    description:
      'Topics of notifications, such as breaking news or sport. Readers who chose categories receive only those, and readers who never chose receive every category.',
    name: 'Name',
    nameMissing: 'Give it a name.',
    about: 'Description',
    aboutHint: 'For you and your colleagues.',
    id: 'Number for the SDK',
    created: 'Created',
    create: 'New category',
    editTitle: (name: string): string => `Edit ${name}`,
    deleteTitle: (name: string): string => `Delete ${name}`,
    saved: (name: string): string => `${name} was saved.`,
    question: (name: string): string => `Delete ${name}?`,
    consequence: 'Sent notifications stay. This category can no longer be used to reach readers.',
    deleteAct: 'Delete category',
    deleted: (name: string): string => `${name} was deleted.`,
    emptyTitle: 'No categories yet',
    empty: 'With categories, readers choose their topics. Create the first one, and select it when you send.',
  },
} as const;
