import type { CommandWords, CompletionWords, OptionWords } from './completionWords.ts';

/** Returns the completion script for PowerShell 5.1 and newer; it completes files if the script offers nothing. */
export function powershell({ commands }: CompletionWords): string {
  return `# elbowroom completion for PowerShell: elbowroom completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName elbowroom -ScriptBlock {
  param($word, $line, $cursor)
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $offer = {
    param($words)
    foreach ($one in $words) {
      if ($one[0] -like "$word*") {
        [System.Management.Automation.CompletionResult]::new($one[0], $one[0], 'ParameterValue', $one[1])
      }
    }
  }
  if ($before.Count -lt 2) {
    & $offer @(
${commands.map(({ name, summary }) => `      ,${pair(name, summary)}`).join('\n')}
    )
    return
  }
  $previous = $before[-1]
  switch ($before[1]) {
${commands.map(branch).join('\n')}
  }
}
`;
}

function branch({ name, operands, options }: CommandWords): string {
  const values = options.flatMap((option) => {
    if (option.value === 'none') return [];
    const offered = option.value === 'any' ? '' : `& $offer ${list(option.value.map((word) => pair(word, word)))}; `;
    return [`      if ($previous -cin ${namesOf(option)}) { ${offered}return }`];
  });
  const all = list(options.map((option) => pair(option.name, option.meaning)));
  const rest = operands.length === 0 ? '' : ` else { & $offer ${list(operands.map((word) => pair(word, word)))} }`;
  return `    ${quoted(name)} {
${values.map((line) => `${line}\n`).join('')}      if ($word -like '-*') { & $offer ${all} }${rest}
      return
    }`;
}

const namesOf = ({ name, short }: OptionWords) =>
  `@(${[name, ...(short === undefined ? [] : [short])].map(quoted).join(', ')})`;
const pair = (word: string, meaning: string) => `@(${quoted(word)}, ${quoted(meaning)})`;
const list = (pairs: readonly string[]) => `@(${pairs.map((one) => `,${one}`).join('; ')})`;
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
