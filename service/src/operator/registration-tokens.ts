/** `/operator/registration-tokens`: initial access tokens of dynamic registration. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import { getCaller, type HttpServer, Timestamp } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { issueInitialAccessToken, REGISTRABLE_SCOPES } from '../oidc/index.ts';
import { operations } from './operations/clients.ts';

const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'offline_access'];
const DAY_S = 86_400;

const Body = Type.Object(
  {
    uses: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Clients; default: 1.' }),
    ),
    lifetime_s: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 30 * DAY_S, description: 'Seconds; default: a day.' }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: REGISTRABLE_SCOPES.length,
        description:
          `What the clients may be registered for: of ${REGISTRABLE_SCOPES.join(', ')}. ` +
          `Default: ${DEFAULT_SCOPES.join(', ')}.`,
      }),
    ),
  },
  { additionalProperties: false },
);

const Answer = Type.Object({
  token: Type.String({ description: 'Shown this once; only its hash is stored.' }),
  uses: Type.Integer({ description: 'Clients that it registers.' }),
  scopes: Type.Array(Type.String()),
  expires_at: Timestamp('When it ends.'),
});

export function registerRegistrationTokens(
  app: HttpServer,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  app.post(
    '/operator/registration-tokens',
    {
      config: { access: { scopes: ['operator:clients'] } },
      schema: { ...operations.createRegistrationToken, body: Body, response: { 200: Answer } },
    },
    async (request) => {
      const { uses = 1, lifetime_s = DAY_S, scopes = DEFAULT_SCOPES } = request.body;
      const issuedBy = getCaller(request).clientId;
      const { token, expiresAt } = await issueInitialAccessToken(db, clock, {
        ...{ uses, lifetime_s, scopes, issuedBy },
      });
      return { token, uses, scopes: [...scopes], expires_at: expiresAt.toISOString() };
    },
  );
}
