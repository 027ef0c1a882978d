import type { Command } from 'commander';
import { describeSettings, type Settings } from '../../engine/contract/settings/settings.ts';
import { print, printJson } from '../../engine/kit/command-line/terminal.ts';

const examples = `
Examples:
  broadside settings
  broadside settings --json | jq 'select(.required)'`;

/** Lists all settings. Roles add their own tables: a setting of several is printed once. */
export function addSettingsCommand(program: Command, tables: readonly Settings[]): void {
  program
    .command('settings')
    .description('Lists every setting (environment variables, or lines of .env) with its default.')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', examples)
    .action(({ json }: { readonly json?: boolean }) => {
      const settings = new Map(tables.flatMap(describeSettings).map((setting) => [setting.env, setting]));
      if (json === true) {
        for (const setting of settings.values()) printJson(setting);
        return;
      }
      for (const { env, description, default: fallback, required, file } of settings.values()) {
        const note = required
          ? 'required'
          : fallback === null
            ? 'optional'
            : `default: ${fallback || 'empty'}`;
        print([file === null ? env : `${env}, ${file}`, `    ${description} (${note})`]);
      }
    });
}
