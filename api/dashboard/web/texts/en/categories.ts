/** Delivery categories. */
export const categories = {
  categories: {
    title: 'Categories',
    description:
      'Kinds of notifications, such as breaking news or sport. Readers who chose categories get those alone, and readers who never chose get every category.',
    name: 'Name',
    nameMissing: 'Give it a name.',
    about: 'Description',
    aboutHint: 'For you and your colleagues.',
    id: 'Number for the SDK',
    created: 'Created',
    create: 'New category',
    editTitle: (name: string): string => `Edit ${name}`,
    deleteTitle: (name: string): string => `Delete ${name}`,
    saved: (name: string): string => `${name} is saved.`,
    question: (name: string): string => `Delete ${name}?`,
    consequence: 'Notifications that were sent stay. Readers can no longer be reached by this category.',
    deleteAct: 'Delete the category',
    deleted: (name: string): string => `${name} is deleted.`,
    emptyTitle: 'No categories yet',
    empty:
      'With categories, readers choose what they are told of. Create the first one, and name it when you send.',
  },
} as const;
