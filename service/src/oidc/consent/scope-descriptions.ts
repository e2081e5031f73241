import { SCOPES } from '../tokens/scopes.ts';

/** Scopes with what they mean for the person. */
export function describeScopes(scopes: readonly string[]): { name: string; description: string }[] {
  return scopes.map((name) => ({
    name,
    description: (SCOPES as Readonly<Record<string, string>>)[name] ?? name,
  }));
}
