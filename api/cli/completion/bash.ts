import type { CommandNode } from './tree.ts';

/**
 * Finds the command among the words typed so far, then completes its commands, options, or an option's values.
 * Where nothing fits, bash completes files.
 */
export function bashScript(nodes: readonly CommandNode[]): string {
  const steps = nodes.filter(({ words }) => words.length > 0).map(({ words }) => `"${words.join(' ')}"`);
  const withValue = nodes.flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, choices }) => ({ key: [...words, flag].join(' '), choices })),
  );
  const offers = nodes.map(
    ({ words, commands, options, values }) =>
      `    "${words.join(' ')}") offered="${[...commands, ...values, ...options.map(({ flag }) => flag)].join(' ')}" ;;`,
  );
  return `# Completion of broadside for bash: source <(broadside completion bash)
_broadside() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" offered="" index next
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${command:+$command }\${COMP_WORDS[index]}"
    case "$next" in
      ${steps.join('|')}) command="$next" ;;
    esac
  done
  COMPREPLY=()
  case "\${command:+$command }$previous" in
${withValue
  .map(
    ({ key, choices }) =>
      `    "${key}") COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); return ;;`,
  )
  .join('\n')}
  esac
  case "$command" in
${offers.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _broadside broadside
`;
}
