import type { CommandWords, CompletionWords, OptionWords } from './completionWords.ts';

/** Returns the completion script for zsh. */
export function zsh({ commands }: CompletionWords): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `#compdef elbowroom
# elbowroom completion for zsh: source <(elbowroom completion zsh), after compinit
_elbowroom() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$name" in
${commands.map(branch).join('\n')}
    *) _files ;;
  esac
}
compdef _elbowroom elbowroom
`;
}

function branch({ name, operands, options }: CommandWords): string {
  const specs = options.flatMap(specsOf).map((spec) => ` \\\n      ${quoted(spec)}`);
  const names =
    operands.length === 0 ? '_files' : `_alternative "names:name:(${operands.join(' ')})" "files:file:_files"`;
  return `    ${name}) _arguments${specs.join('')} \\\n      ${quoted(`*:operand:{ ${names} }`)} ;;`;
}

function specsOf({ name, short, meaning, value }: OptionWords): string[] {
  const text = meaning.replace(/[[\]:]/g, ' ');
  const action = value === 'none' ? '' : value === 'any' ? ':value:_files' : `:value:(${value.join(' ')})`;
  const names = short === undefined ? [name] : [name, short];
  return names.map((one) => `*${one}[${text}]${action}`);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
