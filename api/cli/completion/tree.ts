import type { Command } from 'commander';

/** A command as a shell completes it. */
export interface CommandNode {
  /** Words after `broadside`; empty at the top. */
  readonly words: readonly string[];
  readonly description: string;
  readonly commands: readonly string[];
  readonly options: readonly OptionNode[];
  /** The values of its first argument, where they are few. */
  readonly values: readonly string[];
}

export interface OptionNode {
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** Empty: any, a file perhaps. */
  readonly choices: readonly string[];
}

/** Every command, the top one first. */
export function commandNodes(program: Command, words: readonly string[] = []): CommandNode[] {
  const help = program.createHelp();
  const visible = help.visibleCommands(program);
  const node: CommandNode = {
    words,
    description: firstSentence(program.description()),
    commands: visible.map((command) => command.name()),
    options: help.visibleOptions(program).flatMap((option) =>
      option.long
        ? [
            {
              flag: option.long,
              description: firstSentence(option.description),
              takesValue: option.required || option.optional,
              choices: option.argChoices ?? [],
            },
          ]
        : [],
    ),
    values: program.registeredArguments[0]?.argChoices ?? [],
  };
  const below = visible.filter((command) => command.name() !== 'help');
  return [node, ...below.flatMap((command) => commandNodes(command, [...words, command.name()]))];
}

const firstSentence = (text: string): string => text.split(/[.;:](?: |$)/)[0] ?? '';
