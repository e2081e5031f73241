/**
 * `GET /openapi.json` (3.1), generated from the schemas that validate, and a page to browse it at
 * `/docs`.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Config } from '../config.ts';
import { FAILURES, type FailureCode } from '../lib/failures.ts';
import { DECIMAL_PATTERN } from '../lib/money.ts';
import type { Access } from './auth-guard.ts';
import { httpStatusOf } from './problems.ts';
import { Problem } from './schemas.ts';
import type { HttpServer } from './types.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters of a route that validates them itself; for the document only. */
    documents?: { readonly params?: object; readonly querystring?: object; readonly body?: object };
  }
}

const PROBLEM_RESPONSE = {
  description: 'A problem (RFC 9457).',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** Own files only; of inline styles only the one that the page creates, by its hash. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface DocumentedOperation {
  readonly responses: object;
  readonly parameters?: readonly { name?: string; required?: boolean }[];
}

/** Adds what a route's schema cannot: the default response, and the required key. */
function completeOperation({ responses, parameters = [] }: DocumentedOperation): void {
  Object.assign(responses, { default: PROBLEM_RESPONSE });
  for (const parameter of parameters) {
    if (parameter.name === 'idempotency-key')
      Object.assign(parameter, { name: 'Idempotency-Key', required: true });
  }
}

/** Documents what the guard enforces. */
function describeAccess(access: Access | undefined): Record<string, unknown> {
  if (access === undefined || access === 'open') return { security: [] };
  return {
    security: [{ token: [...access.scopes] }],
    ...(access.tokens && { 'x-token-kinds': access.tokens }),
  };
}

/** Callers may send amounts as numbers too: the parser keeps their tokens as text. */
function allowNumbers(_key: string, value: unknown): unknown {
  const isAmount =
    typeof value === 'object' &&
    value !== null &&
    'pattern' in value &&
    value.pattern === DECIMAL_PATTERN;
  return isAmount ? { ...value, type: ['string', 'number'] } : value;
}

export async function installOpenApi(
  app: HttpServer,
  config: Config,
  version: string,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'edge-account',
        version,
        description:
          'Account service of an edge network: sign-in, wallets, deposits, devices, community, ' +
          'dashboard. Amounts are exact decimal number tokens; `Prefer: amounts=string` prints ' +
          'them as strings.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: config.BASE_URL }],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'Access token (RFC 9068); a key-bound one is presented as `DPoP` with its proof ' +
              '(RFC 9449). The listed scopes are required.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `Schema${index}`,
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      const responses = schema?.response as Record<string, unknown> | undefined;
      return {
        url,
        schema: {
          ...schema,
          ...route.config?.documents,
          ...describeAccess(access),
          response: { ...responses, default: { $ref: 'Problem#' } },
        } as never,
      };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      const { openapiObject } = document;
      for (const path of Object.values(openapiObject.paths ?? {})) {
        for (const operation of Object.values(path ?? {})) {
          if (typeof operation === 'object' && operation !== null && 'responses' in operation)
            completeOperation(operation as DocumentedOperation);
        }
      }
      const codes = Object.keys(FAILURES).map((code) => [
        code,
        { status: httpStatusOf(code as FailureCode), title: FAILURES[code as FailureCode].title },
      ]);
      const text = JSON.stringify(openapiObject, allowNumbers);
      return { ...JSON.parse(text), 'x-failure-codes': Object.fromEntries(codes) };
    },
  });
  app.addSchema(Problem);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    theme: {
      title: 'edge-account API',
      css: [{ filename: 'edge-account.css', content: '.swagger-ui .topbar{display:none}' }],
    },
    uiConfig: { docExpansion: 'none', tryItOutEnabled: false },
  });
  app.get('/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
}
