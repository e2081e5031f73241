/**
 * The anchor: oidc-provider alone, with its in-memory adapter, RS256 JWT access tokens and the same
 * four requests.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { findFreePort } from '../../service/test/support/postgres-server.ts';

export interface MemoryProvider {
  readonly baseUrl: string;
  readonly redirectUri: string;
}

const SCOPES = 'openid account:read device:connect';
const redirectUri = 'https://app.example.test/callback';
const port = await findFreePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const provider = new Provider(baseUrl, {
  clients: [
    {
      client_id: 'bench',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: SCOPES,
    },
  ],
  jwks: {
    keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'bench' }],
  } as never,
  cookies: { keys: ['bench'] },
  scopes: SCOPES.split(' '),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => baseUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: SCOPES,
        audience: baseUrl,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  interactions: { url: (_ctx, interaction) => `${baseUrl}/interaction/${interaction.uid}` },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
});

const serve = provider.callback();
const server = createServer(async (req, res) => {
  if (req.url === '/bench/cpu') {
    const { user, system } = process.cpuUsage();
    return res.end(JSON.stringify({ cpu_us: user + system }));
  }
  if (!req.url?.startsWith('/interaction/')) return serve(req, res);
  // The page: signs the person in and allows what is asked.
  const grant = new provider.Grant({ accountId: '1', clientId: 'bench' });
  grant.addOIDCScope(SCOPES);
  grant.addResourceScope(baseUrl, SCOPES);
  const location = await provider.interactionResult(req, res, {
    login: { accountId: '1' },
    consent: { grantId: await grant.save() },
  });
  res
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ redirect_to: location }));
});
server.listen(port, '127.0.0.1', () =>
  console.log(JSON.stringify({ baseUrl, redirectUri } satisfies MemoryProvider)),
);
process.once('SIGTERM', () => process.exit(0));
