import { dashboardNames, dashboardOf } from './grafana.ts';
import { rulesText } from './rules.ts';

export interface WatchingFile {
  readonly name: string;
  readonly text: string;
}

/** The guide made of engine/OPERATIONS.md. */
const RUNBOOK = 'guides/going-live';

/** @param docs where the API serves its guides, without a slash at its end. */
export const watchingFiles = (docs: string): WatchingFile[] => [
  ...dashboardNames.map((name) => ({
    name: `broadside-${name}.json`,
    text: `${JSON.stringify(dashboardOf(name), null, 2)}\n`,
  })),
  { name: 'broadside-rules.yml', text: rulesText(`${docs}/${RUNBOOK}`) },
];
