import { Argument, type Command } from 'commander';
import { print } from '../../../engine/kit/command-line/terminal.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type CommandNode, commandNodes } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof scripts;

const examples = `
Examples:
  source <(broadside completion bash)                       (in ~/.bashrc, to have it in every shell)
  source <(broadside completion zsh)                        (in ~/.zshrc, after compinit)
  broadside completion fish | source                        (in ~/.config/fish/config.fish)`;

/** @param wholeTree every command with all its options. */
export function addCompletionCommand(program: Command, wholeTree: () => Promise<Command>): void {
  program
    .command('completion')
    .description('Prints a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', examples)
    .action(async (shell: Shell) => {
      const nodes: CommandNode[] = commandNodes(await wholeTree());
      print(scripts[shell](nodes).trimEnd().split('\n'));
    });
}
