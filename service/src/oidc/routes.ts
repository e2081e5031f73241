/** Routes of the provider that are plain routes of the service. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import { callingUserId, getCaller, type HttpServer } from '../http/index.ts';
import { findUser } from '../identity/index.ts';
import { failure } from '../lib/failures.ts';
import type { KeyRing } from './keys/index.ts';

const JWKS_MAX_AGE_S = 300;

const JwkSet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('RSA'),
      n: Type.String({ description: 'Modulus.' }),
      e: Type.String({ description: 'Exponent.' }),
      kid: Type.String({ description: 'RFC 7638 thumbprint; named in the header of each token.' }),
      use: Type.Literal('sig'),
      alg: Type.Literal('RS256'),
    }),
  ),
});

export function registerKeyRoutes(app: HttpServer, keys: KeyRing): void {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'open' },
      schema: {
        tags: ['OpenID Connect'],
        summary: 'Public keys that verify tokens',
        description:
          'Holds the next key at least 24 h before it signs, and retired ones until their ' +
          'last token has expired.',
        response: { 200: JwkSet },
      },
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
  },
  { description: 'Claims about the person, as OpenID Connect names them.' },
);

/** Userinfo, for our own JWTs: GET and POST, as OpenID Connect asks. */
export function registerUserInfo(app: HttpServer, db: Db): void {
  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: '/oauth2/userinfo',
      config: { access: { scopes: ['openid'] } },
      schema: {
        tags: ['OpenID Connect'],
        summary: 'Who the person is',
        response: { 200: UserInfo },
      },
      handler: async (request) => {
        const { scopes, subject } = getCaller(request);
        const user = await findUser(db, callingUserId(request));
        if (user?.status !== 'active') throw failure('invalid_token');
        return {
          sub: subject ?? String(user.userId),
          ...(scopes.has('email') && { email: user.email, email_verified: true }),
          ...(scopes.has('profile') && { nickname: user.nickname }),
        };
      },
    });
  }
}
