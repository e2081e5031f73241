/** The guard of all routes: each route declares its access, the authenticator finds the caller. */
import type { FastifyRequest } from 'fastify';
import { failure, fieldError } from '../lib/failures.ts';
import { isReadByAnyOperator, OPERATOR_READ } from './operator-roles.ts';
import type { HttpServer } from './types.ts';

/** Client of the console: its tokens by OpenID Connect carry all rights of the user. */
export const CONSOLE_CLIENT_ID = 'edge-console';

/**
 * `business`: a signed-in user; `device`: every device token; `operator`: a client of its own.
 * For a resource server of the operator, refused by this service: `api` in a user's name,
 * `api_client` in a client's own.
 */
export type TokenUse = 'business' | 'device' | 'operator' | 'api' | 'api_client';

/** The caller, from a verified token that is not revoked. */
export interface Principal {
  readonly tokenUse: TokenUse;
  /** The resource server of the operator that the token is for; absent: this service. */
  readonly audience?: string;
  /** Absent for operators' clients. */
  readonly userId?: number;
  /** The `sub` of the token, where it is not the user id: the application knows no other. */
  readonly subject?: string;
  readonly clientId: string;
  readonly scopes: ReadonlySet<string>;
  readonly jti: string;
  /** Session: the two tokens of a login share it. */
  readonly sid?: string;
  /** Grant that the token was issued from. */
  readonly grantId?: string;
  /** The device that the token is bound to: it can call the routes of that device only. */
  readonly nodeId?: string;
  /** Thumbprint of the key that the token is bound to (DPoP). */
  readonly jkt?: string;
  readonly email?: string;
  /** Of a token with the scope `groups`. */
  readonly groups?: readonly string[];
  /** Of a token with the scope `roles`. */
  readonly roles?: readonly string[];
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
  /** As in `Access`. */
  readonly answersInOutage?: boolean;
}

export interface Authenticator {
  /** @throws `invalid_token`, `token_revoked`, `unavailable` */
  authenticate(presented: PresentedToken): Principal | Promise<Principal>;
}

/** Callers of a route: all, or tokens with all of these scopes. */
export type Access =
  | 'open'
  | {
      readonly scopes: readonly string[];
      /** A narrower scope that suffices instead of them. */
      readonly orScope?: string;
      /**
       * Accepted kinds of token. Default: business and device; for `operator:` scopes operator and
       * business.
       */
      readonly tokens?: readonly TokenUse[];
      /**
       * A route of one device, or one that says nothing of its caller: tokens that are bound to
       * a device may call it, and no other `node_id`.
       */
      readonly isNodeRoute?: boolean;
      /**
       * For frequent calls with a short-lived effect: a DPoP proof is accepted once per instance,
       * in memory, instead of once, in the database.
       */
      readonly isFleeting?: boolean;
      /**
       * A route that reports an outage: while the database does not answer, the token is checked
       * against the revocations that this instance has read.
       */
      readonly answersInOutage?: boolean;
      /** A posted form may have the token, as `access_token`, instead of the header. */
      readonly takesForm?: boolean;
      /**
       * Finds the caller where no Authorization header can be sent; undefined: the header decides.
       */
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
const TOKEN = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;

/** Reads the Authorization header. @throws `missing_token`, `invalid_token` */
function readPresentedToken(
  request: FastifyRequest,
  { isFleeting = false, answersInOutage = false }: Exclude<Access, 'open'>,
): PresentedToken {
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
    answersInOutage,
  };
}

/** The token in a posted form (RFC 6750 2.2). @throws `missing_token`, `invalid_token` */
function readTokenOfForm({ headers, body, method, url }: FastifyRequest): PresentedToken {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const token = isForm && (body as { access_token?: unknown } | undefined)?.access_token;
  if (typeof token !== 'string') throw failure('missing_token');
  if (!TOKEN.test(token)) throw failure('invalid_token');
  return { scheme: 'Bearer', token, method, url };
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
      detail: `This route requires a token of the kind ${tokens.join(' or ')}.`,
    });
  const reads = principal.scopes.has(OPERATOR_READ);
  const missing = access.scopes.filter(
    (scope) =>
      !principal.scopes.has(scope) && !(reads && isReadByAnyOperator(request.method, scope)),
  );
  const { orScope } = access;
  if (missing.length > 0 && !(orScope !== undefined && principal.scopes.has(orScope)))
    throw failure('insufficient_scope', {
      detail: `The token lacks the scope ${missing.join(' ')}${orScope ? ` or ${orScope}` : ''}.`,
    });
  if (principal.nodeId === undefined) return;
  const asked = (request.params as { node_id?: string }).node_id;
  if (!access.isNodeRoute || (asked !== undefined && asked !== principal.nodeId)) {
    throw failure('insufficient_scope', {
      detail: 'The token is bound to a device and valid for that device only.',
    });
  }
}

/** Routes of plugins, open to all: the API's documentation and the console's files. */
const OPEN_PREFIXES = ['/docs', '/assets'];

/** Installs the guard; a route that does not declare its access fails the start. */
export function installGuard(app: HttpServer, authenticator: Authenticator): void {
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
    if (access.takesForm && request.headers.authorization === undefined) return;
    const principal =
      (await access.findCaller?.(request)) ??
      (await authenticator.authenticate(readPresentedToken(request, access)));
    checkAccess(access, principal, request);
    request.principal = principal;
  });
  app.addHook('preValidation', async (request) => {
    const access = request.routeOptions.config?.access;
    if (access === undefined || access === 'open' || !access.takesForm) return;
    if (request.principal !== undefined) {
      // RFC 6750 2: a client sends the token by one method.
      if ((request.body as { access_token?: unknown } | undefined)?.access_token !== undefined)
        throw fieldError('access_token', 'repeated', 'must not be sent in two places');
      return;
    }
    const principal = await authenticator.authenticate(readTokenOfForm(request));
    checkAccess(access, principal, request);
    request.principal = principal;
  });
}

/** The caller of a guarded route. */
export function getCaller(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('the route is not guarded');
  return request.principal;
}

/** The user who calls a guarded route. @throws `wrong_token_kind` */
export function callingUserId(request: FastifyRequest): number {
  const { userId } = getCaller(request);
  if (userId === undefined)
    throw failure('wrong_token_kind', { detail: 'This route requires the token of a user.' });
  return userId;
}
