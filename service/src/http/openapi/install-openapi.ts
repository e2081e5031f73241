/**
 * `GET /openapi.json` (3.1), generated from the schemas that validate, and pages to browse it at
 * `/docs`.
 */
import swagger from '@fastify/swagger';
import type { Access } from '../auth-guard.ts';
import { isReadByAnyOperator, OPERATOR_READ } from '../operator-roles.ts';
import type { PageLook } from '../page-look.ts';
import { OAuthProblem, Problem } from '../schemas.ts';
import type { HttpServer } from '../types.ts';
import { completeDocument } from './complete-document.ts';
import { TAGS } from './describe-operations.ts';
import { serveDocs } from './docs-page.ts';
import { documentedFailures } from './documented-failures.ts';
import { serveDocument } from './serve-document.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters of a route that validates them itself; for the document only. */
    documents?: { readonly params?: object; readonly querystring?: object; readonly body?: object };
  }
}

export interface OpenApiSettings {
  readonly baseUrl: string;
  readonly version: string;
  /** Every scope with its description. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Of the pages at `/docs`. */
  readonly look: () => PageLook;
}

/** Documents what the guard enforces: the two schemes are two ways to get and send one token. */
function describeAccess(
  access: Access | undefined,
  method: string | string[],
): Record<string, unknown> {
  if (access === undefined || access === 'open') return { security: [] };
  const isRead = [method]
    .flat()
    .every((name) => access.scopes.some((scope) => isReadByAnyOperator(name, scope)));
  return {
    security: [
      { oauth2: [...access.scopes] },
      ...(access.orScope === undefined ? [] : [{ oauth2: [access.orScope] }]),
      ...(isRead ? [{ oauth2: [OPERATOR_READ] }] : []),
      { token: [] },
    ],
    ...(access.tokens && { 'x-token-kinds': access.tokens }),
  };
}

function describeDocument({ baseUrl, version, scopes }: OpenApiSettings) {
  const tokenUrl = `${baseUrl}/oauth2/token`;
  return {
    openapi: '3.1.0',
    info: {
      title: 'edge-account',
      version,
      description:
        'Account service of an edge network: sign-in, wallets, deposits, devices, community, ' +
        'dashboard. Amounts are exact decimal number tokens; `Prefer: amounts=string` prints ' +
        'them as strings.',
      contact: { name: 'Operator of this service', url: baseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2' as const,
          description:
            'People sign in by authorization code with PKCE, servers by client credentials. The ' +
            'listed scopes are required.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/oauth2/authorize`,
              tokenUrl,
              refreshUrl: tokenUrl,
              scopes,
            },
            clientCredentials: { tokenUrl, scopes },
          },
        },
        token: {
          type: 'http' as const,
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An access token (RFC 9068) of any origin, for example of `/user/login/2fa`; a ' +
            'key-bound one is presented as `DPoP` with its proof (RFC 9449).',
        },
      },
    },
  };
}

async function installDocument(app: HttpServer, settings: OpenApiSettings): Promise<void> {
  await app.register(swagger, {
    openapi: describeDocument(settings),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `Schema${index}`,
    },
    transform: ({ schema: declared, url, route }) => {
      const { failures: _failures, oauthErrors, ...schema } = declared ?? {};
      return {
        url,
        schema: {
          ...schema,
          ...route.config?.documents,
          ...describeAccess(route.config?.access, route.method),
          'x-failures': documentedFailures(route),
          ...(oauthErrors && { 'x-oauth-errors': oauthErrors }),
        } as never,
      };
    },
    transformObject: (document) =>
      'openapiObject' in document
        ? completeDocument(document.openapiObject)
        : document.swaggerObject,
  });
  app.addSchema(Problem);
  app.addSchema(OAuthProblem);
}

export async function installOpenApi(app: HttpServer, settings: OpenApiSettings): Promise<void> {
  await installDocument(app, settings);
  serveDocs(app, settings.look);
  serveDocument(app);
}
