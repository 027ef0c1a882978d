import type { Command } from 'commander';

/** A command whose modules are loaded when it is asked for: a help text needs no database and no HTTP server. */
export interface LazyCommand {
  readonly name: string;
  /** As the command itself says it. */
  readonly description: string;
  readonly add: (program: Command) => Promise<void>;
}

/** Adds the commands: the chosen one (or all) as it is, of the others name and description, for the help. */
export async function addLazyCommands(
  program: Command,
  commands: readonly LazyCommand[],
  chosen: string | 'all' | null,
): Promise<void> {
  for (const { name, description, add } of commands) {
    if (chosen === 'all' || chosen === name) await add(program);
    else program.command(name).description(description);
  }
}

/** The first word that is not an option: `token` of `token create`, and of `help token`. */
export function commandNamed(args: readonly string[]): string | null {
  const words = args.filter((arg) => !arg.startsWith('-'));
  return (words[0] === 'help' ? words[1] : words[0]) ?? null;
}
