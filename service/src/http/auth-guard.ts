/** The one guard. Each route says who may call it; the guard asks the authenticator who is calling. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../lib/failures.ts';

/** The client of the service's own console: what it gets by OpenID Connect carries the person's own rights. */
export const CONSOLE_CLIENT_ID = 'edge-console';

export type TokenUse = 'business' | 'device' | 'operator';

/** Who is calling, as a verified and unrevoked token says. */
export interface Principal {
  /** `business`: a signed-in person; `device`: a device token; `operator`: a client of its own (client credentials). */
  readonly tokenUse: TokenUse;
  /** The person; absent for operators' clients. */
  readonly userId?: number;
  readonly clientId: string;
  readonly scopes: ReadonlySet<string>;
  readonly jti: string;
  /** Session: the two tokens of a login share it. */
  readonly sid?: string;
  /** Grant that the token was issued from. */
  readonly grantId?: string;
  /** The node that the token is bound to: it reaches that node's routes only. */
  readonly nodeId?: string;
  /** Thumbprint of the key that the token is bound to (DPoP). */
  readonly jkt?: string;
  readonly email?: string;
  readonly authTime?: Date;
  readonly amr: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
  /** The proof of a key-bound token (RFC 9449). */
  readonly proof?: string;
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  /** As in `Access`. */
  readonly isFleeting?: boolean;
}

export interface Authenticator {
  /** @throws `invalid_token`, `token_revoked`, `unavailable` */
  authenticate(presented: PresentedToken): Principal | Promise<Principal>;
}

/** Who may call a route: anybody, or the bearer of a token with every one of these scopes. */
export type Access =
  | 'open'
  | {
      readonly scopes: readonly string[];
      /** Kinds of token that are taken; default: business and device for people's routes, operator for `operator:` scopes. */
      readonly tokens?: readonly TokenUse[];
      /** True on the routes of one node: a node-bound token may call them for its own `node_id`. */
      readonly isNodeRoute?: boolean;
      /**
       * What a call does wears off by itself, and comes so often that a proof of possession taken must not be written to the
       * database: it serves once at each process, instead of once.
       */
      readonly isFleeting?: boolean;
      /** Another way to say who is calling, where the Authorization header cannot be sent; undefined: the header decides. */
      readonly findCaller?: (
        request: FastifyRequest,
      ) => Principal | undefined | Promise<Principal | undefined>;
    };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

const HEADER = /^(Bearer|DPoP) ([A-Za-z0-9\-._~+/]{1,8192}=*)$/i;

/** Reads the Authorization header. @throws `missing_token`, `invalid_token` */
function readPresentedToken(request: FastifyRequest, isFleeting: boolean): PresentedToken {
  const header = request.headers.authorization;
  if (header === undefined) throw failure('missing_token');
  const match = HEADER.exec(header);
  if (!match?.[1] || !match[2])
    throw failure('invalid_token', {
      detail: 'The Authorization header must be "Bearer" or "DPoP" and one token.',
    });
  const proof = request.headers.dpop;
  if (Array.isArray(proof))
    throw failure('invalid_token', { detail: 'Only one DPoP proof may be sent.' });
  return {
    scheme: match[1].toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
    token: match[2],
    ...(proof !== undefined && { proof }),
    method: request.method,
    url: request.url,
    isFleeting,
  };
}

function checkAccess(
  access: Exclude<Access, 'open'>,
  principal: Principal,
  request: FastifyRequest,
): void {
  const isOperatorRoute = access.scopes.some((scope) => scope.startsWith('operator:'));
  const tokens =
    access.tokens ?? (isOperatorRoute ? ['operator', 'business'] : ['business', 'device']);
  if (!tokens.includes(principal.tokenUse))
    throw failure('wrong_token_kind', {
      detail: `This needs a token of the kind ${tokens.join(' or ')}.`,
    });
  const missing = access.scopes.filter((scope) => !principal.scopes.has(scope));
  if (missing.length > 0)
    throw failure('insufficient_scope', {
      detail: `The token lacks the scope ${missing.join(' ')}.`,
    });
  if (principal.nodeId === undefined) return;
  const asked = (request.params as { node_id?: string }).node_id;
  if (!access.isNodeRoute || (asked !== undefined && asked !== principal.nodeId)) {
    throw failure('insufficient_scope', {
      detail: 'The token is bound to a node and reaches that node only.',
    });
  }
}

/** Routes that plugins bring along and that are for everybody: the API's documentation and the console's files. */
const OPEN_PREFIXES = ['/docs', '/assets'];

/** Installs the guard; a route that does not say who may call it does not start. */
export function installGuard(app: FastifyInstance, authenticator: Authenticator): void {
  app.decorateRequest('principal', undefined);
  app.addHook('onRoute', (route) => {
    if (OPEN_PREFIXES.some((prefix) => route.url === prefix || route.url.startsWith(`${prefix}/`)))
      route.config = { ...route.config, access: 'open' };
    if (route.config?.access === undefined && route.method !== 'HEAD' && route.method !== 'OPTIONS')
      throw new Error(`route ${String(route.method)} ${route.url} does not declare its access`);
  });
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config?.access;
    if (access === undefined || access === 'open') return;
    const principal =
      (await access.findCaller?.(request)) ??
      (await authenticator.authenticate(readPresentedToken(request, access.isFleeting === true)));
    checkAccess(access, principal, request);
    request.principal = principal;
  });
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('the route is not guarded');
  return request.principal;
}

/** The person who calls a guarded route. */
export function callingUserId(request: FastifyRequest): number {
  const { userId } = callerOf(request);
  if (userId === undefined)
    throw failure('wrong_token_kind', { detail: 'This needs the token of a person.' });
  return userId;
}
