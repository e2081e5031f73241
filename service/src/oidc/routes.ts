/** Routes of the provider that are plain routes of the service. */

import Type from 'typebox';
import { callingUserId, getCaller, type HttpServer, StringEnum } from '../http/index.ts';
import { findUser } from '../identity/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import type { OidcContext } from './context.ts';
import { type KeyRing, SIGNING_ALGORITHMS } from './keys/index.ts';
import { operations } from './operations.ts';
import { REQUESTS } from './provider/request-schemas.ts';
import { rolesOf } from './tokens/roles.ts';

const JWKS_MAX_AGE_S = 300;

const JwkSet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: StringEnum(['RSA', 'EC', 'OKP'], 'The kind of the key.'),
      n: Type.Optional(Type.String({ description: 'Modulus of an RSA key.' })),
      e: Type.Optional(Type.String({ description: 'Exponent of an RSA key.' })),
      crv: Type.Optional(Type.String({ description: 'Curve of the other kinds.' })),
      x: Type.Optional(Type.String({ description: 'Coordinate on the curve.' })),
      y: Type.Optional(Type.String({ description: 'Coordinate on the curve P-256.' })),
      kid: Type.String({ description: 'RFC 7638 thumbprint; named in the header of each token.' }),
      use: Type.Literal('sig'),
      alg: StringEnum(SIGNING_ALGORITHMS, 'RS256 signs all access tokens.'),
    }),
  ),
});

export function registerKeyRoutes(app: HttpServer, keys: KeyRing): void {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'open', handlesFailures: true },
      schema: { ...operations.listSigningKeys, response: { 200: JwkSet } },
    },
    async (_request, reply) => {
      const { jwks } = await keys.current();
      reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`);
      return { keys: [...jwks.keys] };
    },
  );
}

const UserInfo = Type.Object(
  {
    sub: Type.String({
      description:
        'The user id, as text; for an application that is not first-party a pairwise subject ' +
        '(OpenID Connect Core 8.1).',
    }),
    email: Type.Optional(Type.String({ description: 'With the scope `email`.' })),
    email_verified: Type.Optional(Type.Boolean()),
    nickname: Type.Optional(Type.String({ description: 'With the scope `profile`.' })),
    groups: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Groups that the operator assigned; with the scope `groups`.',
      }),
    ),
    roles: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Roles in the application that the token was issued to; with the scope `roles`, where ' +
          'there are any.',
      }),
    ),
  },
  { description: 'Claims about the person, as OpenID Connect names them.' },
);

type UserInfoContext = Pick<OidcContext, 'database' | 'clients'>;

const FORM_MAX_BYTES = 16_384;

/** Userinfo, for our own JWTs: GET and POST, as OpenID Connect asks. */
export function registerUserInfo(app: HttpServer, context: UserInfoContext): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      async (_request: unknown, body: string | Buffer) => readTokenForm(body.toString()),
    );
    registerUserInfoRoutes(scope, context);
  });
}

/** @throws `invalid_parameter` when the token is repeated */
function readTokenForm(text: string): { access_token?: string } {
  const [token, ...more] = new URLSearchParams(text).getAll('access_token');
  if (more.length > 0) throw fieldError('access_token', 'repeated', 'must be sent once');
  return token === undefined ? {} : { access_token: token };
}

function registerUserInfoRoutes(app: HttpServer, { database, clients }: UserInfoContext): void {
  const methods = [
    { method: 'GET', operation: operations.getUserInfo, takesForm: false },
    { method: 'POST', operation: operations.postUserInfo, takesForm: true },
  ] as const;
  for (const { method, operation, takesForm } of methods) {
    app.route({
      method,
      url: '/oauth2/userinfo',
      config: {
        access: { scopes: ['openid'], takesForm },
        ...(takesForm && { documents: REQUESTS.userInfo }),
      },
      schema: {
        ...operation,
        response: { 200: UserInfo },
      },
      handler: async (request) => {
        const { scopes, subject, clientId } = getCaller(request);
        const user = await findUser(database, callingUserId(request));
        if (user?.status !== 'active') throw failure('invalid_token');
        const roles = scopes.has('roles') && rolesOf(await clients.find(clientId), user.groups);
        return {
          sub: subject ?? String(user.userId),
          ...(scopes.has('email') && { email: user.email, email_verified: true }),
          ...(scopes.has('profile') && { nickname: user.nickname }),
          ...(scopes.has('groups') && { groups: [...user.groups] }),
          ...(roles && { roles: [...roles] }),
        };
      },
    });
  }
}
