import { execFile, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { chartFolder } from './values.ts';

const hint = 'go install helm.sh/helm/v3/cmd/helm@v3.22.0';
/** Where Go puts programs; on a machine whose PATH does not know it. */
const environmentNow = () => ({ ...process.env, PATH: `${process.env.PATH}:${join(homedir(), 'go/bin')}` });
/** A build by `go install` does not know for which Kubernetes it is. */
const KUBERNETES = '1.37.0';

/** Tests that need a real Helm. */
export function describeHelm(name: string, work: () => void): void {
  const isHere = spawnSync('helm', ['version'], { stdio: 'ignore', env: environmentNow() }).status === 0;
  if (!isHere && process.env.REQUIRE_HELM === '1') throw new Error(`${name}: helm is missing here: ${hint}`);
  if (!isHere) console.warn(`SKIPPED, ${name}: helm is missing here (${hint})`);
  describe.runIf(isHere)(name, work);
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** @throws Error with what Helm says where it refuses the values. */
export async function renderChart(values: object, release = 'broadside'): Promise<Manifest[]> {
  const running = promisify(execFile)(
    'helm',
    [
      ...['template', release, chartFolder, '--namespace', 'push', '--kube-version', KUBERNETES],
      ...['--values', '-'],
    ],
    { env: environmentNow(), maxBuffer: 16 * 1024 ** 2 },
  );
  running.child.stdin?.end(JSON.stringify(values));
  const { stdout } = await running;
  return parseAllDocuments(stdout)
    .map((each) => each.toJS() as Manifest | null)
    .filter((each) => each !== null);
}
