/** Reads the arguments of a command: words, and options as `--name value` or `--flag`. */
import { parseArgs } from 'node:util';
import { CommandError } from './open-platform.ts';

export interface Arguments {
  readonly words: readonly string[];
  /** The values given for an option, in order. */
  all(name: string): readonly string[];
  one(name: string): string | undefined;
  has(flag: string): boolean;
}

/** @throws CommandError on an unknown option or a missing value */
export function readArguments(args: string[], options: { readonly values?: readonly string[]; readonly flags?: readonly string[] }): Arguments {
  const known = {
    ...Object.fromEntries((options.values ?? []).map((name) => [name, { type: 'string' as const, multiple: true }])),
    ...Object.fromEntries((options.flags ?? []).map((name) => [name, { type: 'boolean' as const }])),
  };
  try {
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true, strict: true });
    const all = (name: string): readonly string[] => {
      const value = (values as Record<string, unknown>)[name];
      return Array.isArray(value) ? value.map(String) : [];
    };
    return { words: positionals, all, one: (name) => all(name)[0], has: (flag) => (values as Record<string, unknown>)[flag] === true };
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
