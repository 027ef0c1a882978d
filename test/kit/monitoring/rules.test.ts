// tier: system
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alerts } from '../../../engine/kit/monitoring/alerts.ts';
import { rulesText } from '../../../engine/kit/monitoring/rules.ts';
import { blocksOf } from '../../guide/markdown.ts';
import { describePrometheus } from '../../support/describe-prometheus.ts';
import { type AlertCase, alertCases } from './alert-cases.ts';

const RUNBOOK = 'https://push.example.com/runbook';

describe('the cases of alerts', () => {
  it('are one for each rule', () => {
    const nameOf = ({ severity, ...rest }: { severity: string; alert?: string; name?: string }) =>
      `${rest.alert ?? rest.name} ${severity}`;
    expect(alertCases.map(nameOf).toSorted()).toEqual(alerts.map(nameOf).toSorted());
  });
});

describePrometheus('the rules of alerts in Prometheus', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-rules-'));
    await writeFile(join(folder, 'rules.yml'), rulesText(RUNBOOK));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const promtool = (...args: string[]): Promise<{ code: number; said: string }> =>
    promisify(execFile)('promtool', args, { cwd: folder }).then(
      ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        said: error.stdout + error.stderr,
      }),
    );

  /** What promtool makes of a rule on these series. */
  const evaluate = async (one: AlertCase, series: AlertCase['bad'], fires: boolean) => {
    const { alert, severity, labels, summary, after = '31m' } = one;
    const fired = {
      exp_labels: { severity, ...labels },
      exp_annotations: { summary, runbook_url: `${RUNBOOK}#${alert.toLowerCase()}` },
    };
    // Of one name's rules, the other severity is judged by its own case.
    const rules = alerts.filter((each) => each.name === alert && each.severity === severity);
    const own = join(folder, `${alert}-${severity}.yml`);
    await writeFile(own, rulesText(RUNBOOK, rules));
    const test = {
      ...{ rule_files: [own], evaluation_interval: '1m' },
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          alert_rule_test: [{ eval_time: after, alertname: alert, exp_alerts: fires ? [fired] : [] }],
        },
      ],
    };
    await writeFile(join(folder, 'case.yml'), stringify(test));
    return promtool('test', 'rules', 'case.yml');
  };

  it('are well-formed', async () => {
    expect(await promtool('check', 'rules', 'rules.yml')).toEqual({
      code: 0,
      said: expect.stringContaining(`${alerts.length} rules found`),
    });
    await writeFile(join(folder, 'broken.yml'), rulesText(RUNBOOK).replace('absent(', 'absent(('));
    expect((await promtool('check', 'rules', 'broken.yml')).code).toBe(1);
  });

  it('are loaded by the settings that the guide shows', async () => {
    const [block] = blocksOf('engine/OPERATIONS.md').filter(({ text }) => text.includes('scrape_configs:'));
    const folderOf = (text: string) => text.replace('watching/broadside-rules.yml', 'rules.yml');
    await writeFile(join(folder, 'prometheus.yml'), folderOf(block?.text ?? ''));
    expect(await promtool('check', 'config', 'prometheus.yml')).toEqual({
      code: 0,
      said: expect.stringContaining(`${alerts.length} rules found`),
    });
  });

  it.each(alertCases)('$alert ($severity) fires on its bad series alone', async (one) => {
    expect(await evaluate(one, one.bad, true)).toMatchObject({ code: 0 });
    expect(await evaluate(one, one.good, false)).toMatchObject({ code: 0 });
  });

  it('would fail the test where one were silent on the bad series', async () => {
    const [one] = alertCases;
    if (one !== undefined) expect(await evaluate(one, one.good, true)).toMatchObject({ code: 1 });
  });
});
