// tier: core
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readCompose } from '../support/compose-environment.ts';
import { repositoryRoot } from './temporary-tree.ts';

const file = '.github/workflows/release.yml';
const text = readFileSync(join(repositoryRoot, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly needs?: string | readonly string[]; readonly steps: readonly Step[] }>
  >;
}
const { jobs, permissions } = parse(text) as Workflow;
const runsOf = (job: string): string => jobs[job]?.steps.map(({ run = '' }) => run).join('\n') ?? '';
const usesOf = (job: string): string[] => jobs[job]?.steps.flatMap(({ uses }) => uses ?? []) ?? [];

/** Go programs are not on every developer's machine. */
const hasActionlint = spawnSync('actionlint', ['-version'], { stdio: 'ignore' }).status === 0;
const hint = 'go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';
if (!hasActionlint && process.env.REQUIRE_ACTIONLINT === '1')
  throw new Error(`actionlint is missing: ${hint}`);
if (!hasActionlint) console.warn(`SKIPPED, the release workflow is not linted: ${hint}`);

const lint = (workflow: string): number | null =>
  spawnSync('actionlint', ['-no-color', '-'], { input: workflow, encoding: 'utf8' }).status;

describe('the workflow of a release', () => {
  it.runIf(hasActionlint)('passes actionlint, which finds a wrong expression', () => {
    expect(lint(text)).toBe(0);
    expect(lint(text.replace('steps.build.outputs.role', 'steps.built.outputs.role'))).toBe(1);
    expect(lint(text.replace('needs: test', 'needs: tests'))).toBe(1);
  });

  it('pins every action to a commit, with its version beside it', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses.length).toBeGreaterThan(8);
    expect(uses.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('publishes only what was tested, and gives no job a right that it needs not', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.packages?.needs).toBe('test');
    expect(jobs.images?.needs).toBe('test');
    expect(jobs.publish?.needs).toEqual(['packages', 'images']);
    expect(runsOf('test')).toContain('.ci/run');
    expect(text).not.toMatch(/secrets\.(?!GITHUB_TOKEN\b)/);
  });

  it('makes the packages by the script that a developer runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toContain('release');
    expect(runsOf('packages')).toContain('npm run release -- --out release');
    expect(usesOf('packages').join()).toContain('attest-build-provenance');
    expect(runsOf('publish')).toContain('npm publish --provenance');
    expect(runsOf('publish')).toContain('--notes-file release/RELEASE-NOTES.md');
  });

  it('builds, for two architectures, services that docker-compose.yml has, and signs both', () => {
    const [, services = ''] = /bake --file docker-compose\.yml ([\w -]+) \\/.exec(runsOf('images')) ?? [];
    const targets = services.split(' ').map((name) => readCompose().services[name]?.build?.target);
    expect(targets).toEqual(['role', 'up']);
    expect(runsOf('images')).toContain('*.platform=linux/amd64,linux/arm64');
    expect(runsOf('images')).toMatch(/--sbom=true --provenance=mode=max/);
    expect(runsOf('images')).toContain('cosign sign --yes "$IMAGE@$ROLE" "$IMAGE-up@$UP"');
    expect(usesOf('images').filter((name) => name.includes('attest-build-provenance'))).toHaveLength(2);
  });

  it('gives Compose every variable that its file requires', () => {
    const compose = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8');
    const required = new Set(Array.from(compose.matchAll(/\$\{(\w+):\?/g), ([, name]) => name ?? ''));
    expect(required.size).toBeGreaterThan(4);
    expect([...required].filter((name) => !text.includes(`      ${name}: `))).toEqual([]);
  });

  it('runs shell that a shell can read', () => {
    for (const job of Object.keys(jobs)) execFileSync('bash', ['-n'], { input: runsOf(job) });
  });
});
