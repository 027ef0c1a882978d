import type { Command } from 'commander';
import { describeSettings, type Settings } from '../../engine/contract/settings.ts';

/** Lists what can be set. Roles add their own tables: a setting of several is printed once. */
export function addSettingsCommand(program: Command, tables: readonly Settings[]): void {
  program
    .command('settings')
    .description('Lists every setting (environment variables, or lines of .env) with its default.')
    .action(() => {
      const settings = new Map(tables.flatMap(describeSettings).map((setting) => [setting.env, setting]));
      for (const { env, description, default: fallback, required } of settings.values()) {
        const note = required
          ? 'required'
          : fallback === null
            ? 'optional'
            : `default: ${fallback || 'empty'}`;
        console.log(`${env}\n    ${description} (${note})`);
      }
    });
}
