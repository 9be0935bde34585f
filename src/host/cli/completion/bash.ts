import type { CommandWords, CompletionWords } from './completionWords.ts';

/** Returns the completion script for bash. */
export function bash({ commands }: CompletionWords): string {
  return `# elbowroom completion for bash: source <(elbowroom completion bash)
_elbowroom() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(branch).join('\n')}
  esac
}
complete -o default -F _elbowroom elbowroom
`;
}

/** Without a reply, bash completes files (\`-o default\`). */
function branch({ name, operands, options }: CommandWords): string {
  const names = ({ name: long, short }: (typeof options)[number]) => (short === undefined ? long : `${long}|${short}`);
  const values = options.flatMap((option) => {
    if (option.value === 'none') return [];
    const reply = option.value === 'any' ? 'return' : `${replyOf(option.value)}; return`;
    return [`        ${names(option)}) ${reply} ;;`];
  });
  const cases = values.length === 0 ? '' : `      case "$previous" in\n${values.join('\n')}\n      esac\n`;
  const all = options.map((option) => option.name);
  const rest = operands.length === 0 ? '' : ` else ${replyOf(operands)};`;
  return `    ${name})
${cases}      if [[ "$current" == -* ]]; then ${replyOf(all)};${rest} fi ;;`;
}

const replyOf = (words: readonly string[]) => `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current"))`;
