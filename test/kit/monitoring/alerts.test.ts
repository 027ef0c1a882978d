// tier: unit
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alerts } from '../../../engine/kit/monitoring/alerts.ts';
import { watchingFiles } from '../../../engine/kit/monitoring/files.ts';

const operations = readFileSync(new URL('../../../engine/OPERATIONS.md', import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const rules = (): Rule[] => {
  const text = watchingFiles('https://push.example.com/docs').find(({ name }) => name.endsWith('.yml'))?.text;
  return (parse(text ?? '') as { groups: [{ rules: Rule[] }] }).groups[0].rules;
};

describe('the rules of alerts', () => {
  it('are what the file says', () => {
    expect(rules()).toEqual(
      alerts.map(({ name, severity, expr, for: lasting, summary }) => ({
        ...{ alert: name, expr, for: lasting, labels: { severity } },
        annotations: {
          summary,
          runbook_url: `https://push.example.com/docs/guides/going-live#${name.toLowerCase()}`,
        },
      })),
    );
  });

  it('are one for each name and severity', () => {
    const names = alerts.map(({ name, severity }) => `${name} ${severity}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the lines for operators', () => {
  const [, section = ''] = /^## Alerts of Prometheus$([\s\S]*?)^## /m.exec(operations) ?? [];
  const lines = new Map(
    section
      .split(/^### /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()] as const),
  );

  it('are there for each alert, and for nothing else', () => {
    expect([...lines.keys()].toSorted()).toEqual([...new Set(alerts.map(({ name }) => name))].toSorted());
  });

  it.each([...lines])('%s says what it means, what to check, and what to do', (_name, text) => {
    expect(text.split(/[.;:] /).length).toBeGreaterThanOrEqual(3);
    expect(text).toMatch(/[Cc]heck/);
  });
});
