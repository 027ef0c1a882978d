/** What becomes due by the clock. A loop each takes it, and none looks until one short statement found it. */
export const dueWork = ['schedule', 'campaigns', 'feeds', 'welcomes'] as const;
export type DueWork = (typeof dueWork)[number];

/** What an engine does beside sending: as above. */
export type DueBeside = 'webhooks' | 'alerts' | 'emails' | 'samples';
