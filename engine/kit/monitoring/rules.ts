import { type Alert, alerts } from './alerts.ts';

/** As the guide at `/docs` and GitHub make it of a heading that is one word. */
const anchorOf = (name: string): string => name.toLowerCase();

/**
 * The alerts as a file of rules for Prometheus. A text in JSON is one in YAML too.
 * @param runbook the address of the page with a heading for each.
 */
export const rulesText = (runbook: string, all: readonly Alert[] = alerts): string =>
  ['groups:', '  - name: broadside', '    rules:', ...all.map((alert) => ruleText(alert, runbook)), ''].join(
    '\n',
  );

const ruleText = ({ name, severity, expr, for: lasting, summary }: Alert, runbook: string): string =>
  [
    `- alert: ${name}`,
    '  expr: |-',
    ...expr.split('\n').map((line) => `    ${line}`),
    `  for: ${lasting}`,
    '  labels:',
    `    severity: ${severity}`,
    '  annotations:',
    `    summary: ${JSON.stringify(summary)}`,
    `    runbook_url: ${JSON.stringify(`${runbook}#${anchorOf(name)}`)}`,
  ]
    .map((line) => `      ${line}`)
    .join('\n');
