// tier: core
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiSettings, connectionSettings, upSettings } from '../../api/settings/config.ts';
import { engineSettings } from '../../engine/config.ts';
import { describeSettings } from '../../engine/contract/settings/settings.ts';
import { reportingSettings } from '../../reporting/config.ts';
import { readCompose } from '../support/compose-environment.ts';
import { repositoryRoot } from './temporary-tree.ts';

const text = readFileSync(join(repositoryRoot, '.env.example'), 'utf8');
const lines = new Map(
  [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const settings = [apiSettings, engineSettings, reportingSettings, upSettings, connectionSettings].flatMap(
  describeSettings,
);
/** Variables that only docker-compose.yml reads from .env. */
const forCompose = new Set(JSON.stringify(readCompose()).match(/(?<=\$\{)\w+/g));
/** Defaults that depend on the machine. */
const ofTheMachine: ReadonlySet<string> = new Set(['WORKER_THREADS']);

describe('.env.example', () => {
  it('lists every setting of every role, and no unused one', () => {
    const known = new Set([...settings.map(({ env }) => env), ...forCompose]);
    expect([...lines.keys()].toSorted()).toEqual([...known].toSorted());
  });

  it.each(settings.filter(({ env }) => !ofTheMachine.has(env)))(
    'explains the purpose and default of $env',
    ({ env, description, default: fallback }) => {
      expect(lines.get(env)).toBe(fallback ?? '');
      const isExplained = settings
        .filter((setting) => setting.env === env)
        .some((setting) => text.includes(`# ${setting.description}\n#${env}=`));
      expect(isExplained, description).toBe(true);
    },
  );

  it('sets nothing by itself', () => {
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });
});
