/** Reads the arguments of a command: words, and options as `--name value` or `--flag`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError } from './bootstrap.ts';
import { PROGRAM } from './program.ts';

export interface Arguments {
  readonly words: readonly string[];
  /** The values given for an option, in order. */
  all(name: string): readonly string[];
  one(name: string): string | undefined;
  has(flag: string): boolean;
}

/**
 * npm keeps options for itself unless `--` stands before them, and runs the command without: never
 * what was meant. Settings of npm with such a name (a `scope` of packages) begin with `@`.
 */
function refuseSwallowed(names: readonly string[]): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const swallowed = names.find((name) => {
    const value = process.env[`npm_config_${name.replaceAll('-', '_')}`];
    return value !== undefined && !value.startsWith('@');
  });
  if (swallowed !== undefined)
    throw new CommandError(
      `npm took --${swallowed} for an option of its own: write \`--\` before the command, ` +
        `as in \`${PROGRAM} COMMAND --${swallowed} …\``,
    );
}

/**
 * Path of a file that was named where the command was called; npm runs it in the folder of the
 * package.
 */
export function pathOf(file: string): string {
  return resolve(process.env.INIT_CWD ?? '.', file);
}

/** @throws CommandError on an unknown option, a missing value, or options that npm kept */
export function readArguments(
  args: string[],
  options: { readonly values?: readonly string[]; readonly flags?: readonly string[] },
): Arguments {
  const known = {
    ...Object.fromEntries(
      (options.values ?? []).map((name) => [name, { type: 'string' as const, multiple: true }]),
    ),
    ...Object.fromEntries(
      (options.flags ?? []).map((name) => [name, { type: 'boolean' as const }]),
    ),
  };
  refuseSwallowed([...(options.values ?? []), ...(options.flags ?? [])]);
  try {
    const { values, positionals } = parseArgs({
      args,
      options: known,
      allowPositionals: true,
      strict: true,
    });
    const all = (name: string): readonly string[] => {
      const value = (values as Record<string, unknown>)[name];
      return Array.isArray(value) ? value.map(String) : [];
    };
    return {
      words: positionals,
      all,
      one: (name) => all(name)[0],
      has: (flag) => (values as Record<string, unknown>)[flag] === true,
    };
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
