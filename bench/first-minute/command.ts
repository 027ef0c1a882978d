import type { Command } from 'commander';
import { outputOf, withOutput } from '../command-options.ts';

export function addFirstMinuteCommand(program: Command): void {
  const command = program
    .command('first-minute')
    .description('The two ways of the README with a stopwatch: each step that they print, with its seconds.')
    .addHelpText('after', '\nExample:\n  npm run bench -- first-minute');
  withOutput(command).action(async (options) => {
    const { runFirstMinute } = await import('./main.ts');
    process.exitCode = await runFirstMinute(outputOf(options));
  });
}
