/** Each answers another doubt about figures. */
export const checkViews = ['differences', 'unusual', 'days'] as const;
export type CheckView = (typeof checkViews)[number];
