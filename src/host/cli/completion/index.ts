import { bash } from './bash.ts';
import type { CompletionWords } from './completionWords.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import { zsh } from './zsh.ts';

/** Makers of completion scripts by shell. */
export const shells: Readonly<Record<string, (words: CompletionWords) => string>> = { bash, zsh, fish, powershell };
