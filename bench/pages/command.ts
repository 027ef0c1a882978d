import { type Command, Option } from 'commander';
import { wholeNumber, words } from '../command-options.ts';
import { devices } from './lighthouse.ts';

export function addPagesCommand(program: Command): void {
  program
    .command('pages')
    .description('How Lighthouse rates the pages of the dashboard, for one who was there before.')
    .option('--pages <names>', 'of the pages, by commas: overview,compose; without it all', words)
    .option('--runs <n>', 'of each page; their median counts', wholeNumber, 3)
    .addOption(new Option('--device <name>', 'as Lighthouse emulates it').choices(devices).default('phone'))
    .option('--json', 'a JSON line for each page')
    .addHelpText(
      'after',
      '\nNeeds Chromium. Fetches Lighthouse with npm the first time. Only a quiet machine gives figures that mean something.' +
        '\n\nExample:\n  npm run bench -- pages --pages overview,compose,analytics --runs 5',
    )
    .action(async (options) => {
      const { runPagesBench } = await import('./main.ts');
      process.exitCode = await runPagesBench({
        pages: options.pages ?? null,
        runs: options.runs,
        device: options.device,
        json: options.json === true,
      });
    });
}
