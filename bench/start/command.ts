import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput } from '../command-options.ts';

export function addStartCommand(program: Command): void {
  const command = program
    .command('start')
    .description(
      'npm start until it is ready, what it costs while nothing happens, and how fast broadside --help is.',
    )
    .option('--rounds <n>', 'starts and help texts, of which the median counts', wholeNumber, 5)
    .option('--idle-seconds <n>', 'how long the idle installation is watched', wholeNumber, 30)
    .addHelpText('after', '\nExample:\n  npm run bench -- start --rounds 3');
  withOutput(command).action(async (options) => {
    const { runStart } = await import('./main.ts');
    process.exitCode = await runStart({
      rounds: options.rounds,
      idleSeconds: options.idleSeconds,
      output: outputOf(options),
    });
  });
}
