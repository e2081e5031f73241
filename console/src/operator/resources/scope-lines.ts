/** Scopes as lines of text: a name, a space, and what it permits. */
import type { ResourceServer } from './queries.ts';

type Scope = ResourceServer['scopes'][number];

/** @returns undefined: a line says not what its scope permits */
export function readScopeLines(text: string): Scope[] | undefined {
  const scopes = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...words] = line.split(/\s+/);
      return { name, description: words.join(' ') };
    });
  return scopes.some(({ description }) => description === '') ? undefined : scopes;
}

export function writeScopeLines(scopes: readonly Scope[]): string {
  return scopes.map(({ name, description }) => `${name} ${description}`).join('\n');
}
