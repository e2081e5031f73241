/** The routes of the OpenAPI document, for tests that call all of them. */
import type { App } from '../../src/app.ts';

interface Operation {
  readonly security: Record<string, string[]>[];
  readonly 'x-token-kinds'?: readonly string[];
  readonly parameters?: { name: string; in: string; schema: { type?: string } }[];
  readonly requestBody?: {
    readonly content: Record<string, { schema: { properties?: Record<string, unknown> } }>;
  };
}

export interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly operation: Operation;
}

/** Streams and sockets stay open; `/oauth2/*` follows RFC 6749 and has its own tests. */
const ELSEWHERE = ['GET /me/events', 'GET /me/devices/connect'];

/** All documented routes but those tested elsewhere. */
export async function readRoutes(http: App['http']): Promise<Route[]> {
  const { paths } = (await http.inject('/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]): Route => ({
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase() as Route['method'],
          url: path.replaceAll(/\{[^}]+\}/g, '1'),
          operation,
        }),
      ),
    )
    .filter(({ name }) => !ELSEWHERE.includes(name));
}
