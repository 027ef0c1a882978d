import type { Command } from 'commander';
import { outputOf, wholeNumber, withOutput, words } from '../command-options.ts';

export function addPeersCommand(program: Command): void {
  const command = program
    .command('peers')
    .description('The same messages by Broadside, by web-push, and by the libraries of other languages.')
    .option('--messages <n>', 'of each sender in each round', wholeNumber, 20_000)
    .option('--rounds <n>', 'counted rounds, after one to warm up', wholeNumber, 3)
    .option('--only <senders>', 'names of senders, separated by commas', words)
    .addHelpText('after', '\nExample:\n  npm run bench -- peers --only broadside/node,web-push/keep-alive');
  withOutput(command).action(async (options) => {
    const { runPeers } = await import('./main.ts');
    const { senderNames } = await import('./start-senders.ts');
    const { messages, rounds } = options;
    const only = senderNames(options.only);
    process.exitCode = await runPeers({ messages, rounds, only }, outputOf(options));
  });
}
