/** What an authorization request asks for: scopes, and the resource servers that it names. */
import type { Client, ClientRegistry } from '../clients/index.ts';
import { SCOPES, splitScopes } from '../tokens/scopes.ts';

export interface RequestedAccess {
  readonly scope?: unknown;
  /** One resource indicator or several (RFC 8707 2.1). */
  readonly resource?: unknown;
}

/** The resource indicators of a request; the provider has checked them. */
export function listAudiences({ resource }: RequestedAccess): string[] {
  return [resource ?? []].flat().map(String);
}

/**
 * The requested scopes that the client may have: the service's own, and those of the resource
 * servers that the request names.
 */
export async function findRequestedScopes(
  clients: ClientRegistry,
  request: RequestedAccess,
  client: Client,
): Promise<string[]> {
  const known = await clients.resourceServers();
  const foreign = new Set(
    listAudiences(request)
      .flatMap((audience) => known.get(audience)?.scopes ?? [])
      .map(({ name }) => name),
  );
  const { scope } = request;
  return splitScopes(typeof scope === 'string' ? scope : undefined).filter(
    (name) => (name in SCOPES || foreign.has(name)) && client.scopes.includes(name),
  );
}

/** Scopes with their descriptions for the user. */
export async function describeScopes(
  clients: ClientRegistry,
  scopes: readonly string[],
): Promise<{ name: string; description: string }[]> {
  const known = [...(await clients.resourceServers()).values()].flatMap((server) => server.scopes);
  const texts: Readonly<Record<string, string>> = {
    ...Object.fromEntries(known.map(({ name, description }) => [name, description])),
    ...SCOPES,
  };
  return scopes.map((name) => ({ name, description: texts[name] ?? name }));
}
