import { type Command, Option } from 'commander';
import { wholeNumber } from '../command-options.ts';
import { libraryOption } from './options.ts';

export function addSoakCommand(program: Command): void {
  program
    .command('soak-encryption')
    .description(
      'Encrypts millions of messages on threads that come and go: no crash, no leak, all readable.',
    )
    .addOption(
      new Option('--backend <name>', 'which one')
        .choices(['multibuffer', 'openssl', 'node'])
        .default('openssl'),
    )
    .addOption(libraryOption())
    .option('--messages <n>', 'how many', wholeNumber, 10_000_000)
    .option('--lives <n>', 'threads, one after the other', wholeNumber, 20)
    .option('--json', 'a JSON line')
    .addHelpText('after', '\nExample:\n  npm run bench -- soak-encryption --messages 1000000')
    .action(async (options) => {
      const { runSoak } = await import('./soak.ts');
      process.exitCode = await runSoak({
        backend: options.backend,
        cryptoMbLibrary: options.cryptoMb ?? null,
        messages: options.messages,
        lives: options.lives,
        json: options.json === true,
      });
    });
}
