import { builtInScenes } from '../../node/packageFolder.ts';
import { builtInRobots } from '../../node/robots.ts';
import type { Command } from '../command.ts';
import { flagName } from '../parse.ts';

/** What a shell completes: the words that may follow a word of the command line. */
export interface CompletionWords {
  readonly commands: readonly CommandWords[];
}

/** A command with its operands and options. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** Names that an operand may have; files are completed besides. */
  readonly operands: readonly string[];
  readonly options: readonly OptionWords[];
}

/** An option. */
export interface OptionWords {
  /** `--output`. */
  readonly name: string;
  /** `-o`; undefined: none. */
  readonly short: string | undefined;
  /** First part of the help text, up to a comma or semicolon. */
  readonly meaning: string;
  /** What follows: nothing (a flag), one of some words, or any text, for which files are completed. */
  readonly value: 'none' | 'any' | readonly string[];
}

/** Returns the words of the command line, in the order of the tables. */
export function completionWords(commands: Readonly<Record<string, Command>>): CompletionWords {
  const named: Readonly<Record<string, readonly string[]>> = {
    SCENE: Object.keys(builtInScenes()),
    ROBOT: builtInRobots(),
  };
  return {
    commands: Object.entries(commands).map(([name, { summary, operands, options }]) => ({
      name,
      summary,
      operands: operands.flatMap((operand) => named[operand.name] ?? []),
      options: [
        ...Object.entries(options).map(([key, { meaning, alias, value, choices }]) => ({
          name: flagName(key),
          short: alias === undefined ? undefined : `-${alias}`,
          meaning: firstPart(meaning),
          value: value === undefined ? ('none' as const) : (choices ?? ('any' as const)),
        })),
        { name: '--help', short: '-h', meaning: 'show the help', value: 'none' as const },
      ],
    })),
  };
}

const firstPart = (text: string) => text.split(/[,;:]/)[0].trim();
