import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .description('A backup of a running Broadside, and its restore: how long each takes.')
    .option('--subscribers <n>', 'of the app; each was sent one delivery', wholeNumber, 1_000_000)
    .addHelpText('after', '\nExample:\n  npm run bench -- backup --subscribers 100000');
  withOutput(command).action(async (options) => {
    const { runBackupBench } = await import('./main.ts');
    process.exitCode = await runBackupBench(options.subscribers, outputOf(options));
  });
}
