export const logs = ['pgboss', 'kafka'] as const;
export type LogName = (typeof logs)[number];
