import { requireName } from '../../../errors.ts';
import { type Command, defineCommand } from '../command.ts';
import { completionWords } from '../completion/completionWords.ts';
import { shells } from '../completion/index.ts';
import { ExitCode } from '../exitCode.ts';
import { withGlobalOptions } from '../globalOptions.ts';

const names = Object.keys(shells).join(', ');

/** Loaders of all commands, by name. */
type Loaders = Readonly<Record<string, { readonly load: () => Promise<Command> }>>;

/** Returns the command that prints the completion script of all commands. */
export const completionOf = (commands: Loaders) =>
  defineCommand({
    summary: 'shell completion: a script that completes commands, options and built-in names',
    operands: [{ name: 'SHELL', meaning: `one of: ${names}` }],
    options: {},
    details: `Load the script where the shell starts:
  bash        echo 'source <(elbowroom completion bash)' >> ~/.bashrc
  zsh         echo 'source <(elbowroom completion zsh)' >> ~/.zshrc
  fish        elbowroom completion fish > ~/.config/fish/completions/elbowroom.fish
  powershell  Add-Content $PROFILE 'elbowroom completion powershell | Out-String | Invoke-Expression'`,
    examples: [['source <(elbowroom completion bash)', 'completion in the present shell']],

    async run(io, [shell]) {
      const script = shells[requireName(shells, 'SHELL', shell!)];
      const loaded: Record<string, Command> = {};
      for (const [name, { load }] of Object.entries(commands)) loaded[name] = withGlobalOptions(await load());
      await io.write(script(completionWords(loaded)));
      return ExitCode.Ok;
    },
  });
