import { tmpdir } from 'node:os';
import { testMasterKey } from '../../../support/builders.ts';
import type { CliRun } from '../../../support/run-cli.ts';
import { runCliHere } from '../../../support/run-cli-here.ts';

interface Finding {
  readonly area: string;
  readonly state: string;
  readonly text: string;
  readonly mend: string | null;
}

export interface Examined extends Omit<CliRun, 'out'> {
  readonly out: string;
  /** Of one area, what is not ok. */
  wrong(area: string): readonly Finding[];
  readonly findings: readonly Finding[];
}

/** Settings with which nothing is wrong: no push service that would be asked, and a port where no engine listens. */
export const healthy = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  MASTER_KEY: testMasterKey.toString('base64'),
  VAPID_SUBJECT: 'mailto:push@example.com',
  PUSH_SERVICE_HOSTS: 'notify.windows.com',
  INTERNAL_PORT: '0',
  DATA_FOLDER: `${tmpdir()}/broadside-doctor-has-no-folder`,
});

/** `broadside doctor --json`, as an operator runs it. */
export async function examineWith(env: Readonly<Record<string, string>>): Promise<Examined> {
  const run = await runCliHere(['doctor', '--json'], { cwd: tmpdir(), env });
  const { findings } = JSON.parse(run.out) as { findings: Finding[] };
  return {
    ...run,
    findings,
    wrong: (area) => findings.filter((one) => one.area === area && one.state !== 'ok'),
  };
}
