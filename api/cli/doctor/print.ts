import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { Finding, State } from './finding.ts';

/** The worst first. */
const states: readonly State[] = ['problem', 'warning', 'skipped', 'ok'];

export function printFindings(findings: readonly Finding[], asJson: boolean): void {
  if (asJson) {
    printJson({ state: findings.some(isProblem) ? 'problem' : 'ok', findings });
    return;
  }
  const width = Math.max(...findings.map(({ area }) => area.length));
  for (const { area, state, text, mend } of findings) {
    print(`${area.padEnd(width)}  ${state.padEnd('problem'.length)}  ${text}`);
    if (mend !== null) print(`${' '.repeat(width + 'problem'.length + 4)}→ ${mend}`);
  }
  const counts = states.map(
    (state) => [state, findings.filter((one) => one.state === state).length] as const,
  );
  const said = counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`);
  print(['', `${said.join(', ')}.`]);
}

const isProblem = ({ state }: Finding): boolean => state === 'problem';
