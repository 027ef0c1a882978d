import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addScaleCommand(program: Command): void {
  const command = program
    .command('scale')
    .description('10,000 to 1,000,000 subscribers: whether a message costs the same.')
    .option('--max <n>', 'the largest audience; 10000000 takes an hour and 40 GB', wholeNumber, 1_000_000)
    .option('--from <n>', 'the smallest audience', wholeNumber, 10_000)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run bench -- scale --max 100000\n  npm run bench -- scale --from 100000 --max 10000000',
    );
  withOutput(command).action(async (options) => {
    const { runScale } = await import('./main.ts');
    process.exitCode = await runScale({ from: options.from, max: options.max }, outputOf(options));
  });
}
