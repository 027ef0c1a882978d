import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';
import { baselineFile } from './baseline.ts';

export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .description('Fails where Broadside became dearer beside web-push than bench/baseline.json says.')
    .option('--messages <n>', 'of each sender in each round', wholeNumber, 20_000)
    .option('--rounds <n>', 'counted rounds, after one to warm up', wholeNumber, 3)
    .option('--write', 'make the baseline instead')
    .option('--baseline <file>', 'another baseline', baselineFile)
    .addHelpText('after', '\nExample:\n  npm run bench -- check --write');
  withOutput(command).action(async (options) => {
    const { runCheck } = await import('./main.ts');
    const { messages, rounds, baseline, write = false } = options;
    process.exitCode = await runCheck({ messages, rounds, baseline, write }, outputOf(options));
  });
}
