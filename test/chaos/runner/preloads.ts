import { fileURLToPath } from 'node:url';

const moduleOf = (name: string): string => fileURLToPath(new URL(`./preload/${name}.ts`, import.meta.url));

/** Builds that are broken on purpose, to see that a run notices. */
export const brokenBuilds = {
  'marks outcomes done before ClickHouse has them': moduleOf('acknowledge-first'),
  'deletes outbox rows before the log has them': moduleOf('publish-later'),
} as const;
