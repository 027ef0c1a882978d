import type { CommandNode } from './tree.ts';

/** As the one for bash; with descriptions. */
export function zshScript(nodes: readonly CommandNode[]): string {
  const steps = nodes.filter(({ words }) => words.length > 0).map(({ words }) => `"${words.join(' ')}"`);
  const descriptionOf = (words: readonly string[]): string =>
    nodes.find((node) => node.words.join(' ') === words.join(' '))?.description ?? '';
  const withValue = nodes.flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, choices }) => {
        const offer = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`;
        return `    "${[...words, flag].join(' ')}") ${offer}; return ;;`;
      }),
  );
  const offers = nodes.map(({ words, commands, options, values }) => {
    const lines = [
      ...commands.map((name) => entry(name, descriptionOf([...words, name]))),
      ...values.map((value) => entry(value, '')),
      ...options.map(({ flag, description }) => entry(flag, description)),
    ];
    return `    "${words.join(' ')}") offered=(${lines.join(' ')}) ;;`;
  });
  return `#compdef broadside
# Completion of broadside for zsh: source <(broadside completion zsh)
_broadside() {
  local typed="" previous="\${words[CURRENT-1]}" next
  local -i index
  local -a offered
  for ((index = 2; index < CURRENT; index++)); do
    next="\${typed:+$typed }\${words[index]}"
    case "$next" in
      ${steps.join('|')}) typed="$next" ;;
    esac
  done
  case "\${typed:+$typed }$previous" in
${withValue.join('\n')}
  esac
  case "$typed" in
${offers.join('\n')}
  esac
  _describe 'broadside' offered || _files
}
compdef _broadside broadside
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const entry = (name: string, description: string): string =>
  quoted(description === '' ? name : `${name}:${description.replaceAll(':', '\\:')}`);
