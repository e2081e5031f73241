import { SCOPES } from '../tokens/scopes.ts';

/** Scopes with their descriptions for the user. */
export function describeScopes(scopes: readonly string[]): { name: string; description: string }[] {
  return scopes.map((name) => ({
    name,
    description: (SCOPES as Readonly<Record<string, string>>)[name] ?? name,
  }));
}
