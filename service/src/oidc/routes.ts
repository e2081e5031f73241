/** Routes of the provider that are plain routes of the service. */
import Type from 'typebox';
import type { HttpServer } from '../http/index.ts';
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
        description: 'Holds the next key at least 24 h before it signs, and retired ones until their last token has expired.',
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
