import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addScaleCommand(program: Command): void {
  const command = program
    .command('scale')
    .description('10,000, 100,000 and 1,000,000 subscribers: whether a message costs the same.')
    .option('--max <n>', 'the largest audience', wholeNumber, 1_000_000)
    .addHelpText('after', '\nExample:\n  npm run bench -- scale --max 100000');
  withOutput(command).action(async (options) => {
    const { runScale } = await import('./main.ts');
    process.exitCode = await runScale({ max: options.max }, outputOf(options));
  });
}
