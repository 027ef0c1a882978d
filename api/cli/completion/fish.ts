import type { CommandNode } from './tree.ts';

/** A line for each word that can follow; its condition compares the commands typed so far. */
export function fishScript(nodes: readonly CommandNode[]): string {
  const steps = nodes.filter(({ words }) => words.length > 0).map(({ words }) => quoted(words.join(' ')));
  const descriptionOf = (words: readonly string[]): string =>
    nodes.find((node) => node.words.join(' ') === words.join(' '))?.description ?? '';
  const lines = nodes.flatMap(({ words, commands, options, values }) => {
    const at = `complete -c broadside -n ${quoted(`__broadside_at ${words.join(' ')}`.trim())}`;
    return [
      ...commands.map((name) => `${at} -f -a ${name} -d ${quoted(descriptionOf([...words, name]))}`),
      ...values.map((value) => `${at} -f -a ${value}`),
      ...options.map(({ flag, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `${at} -l ${flag.slice(2)}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of broadside for fish: broadside completion fish | source
function __broadside_at
    set -l typed
    for word in (commandline -opc)[2..-1]
        if contains -- (string join ' ' $typed $word) ${steps.join(' ')}
            set -a typed $word
        end
    end
    test (string join ' ' $typed) = (string join ' ' $argv)
end
${lines.join('\n')}
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
