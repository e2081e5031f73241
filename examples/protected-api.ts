/** An API of yours that takes access tokens of edge-account: verified offline, by its own scope. */
import { createServer } from 'node:http';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

const ISSUER = process.env.ISSUER ?? 'http://localhost:8080';
const AUDIENCE = process.env.AUDIENCE ?? 'https://orders.example.com';
const PORT = Number(process.env.PORT ?? 3001);
const keys = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`));

/** The claims of the request's token; throws when it is not valid here. */
async function verify(authorization = ''): Promise<JWTPayload> {
  const [, token = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
  const { payload } = await jwtVerify(token, keys, {
    issuer: ISSUER,
    audience: AUDIENCE,
    typ: 'at+jwt',
    algorithms: ['RS256'],
  });
  // A token that is bound to a key needs a proof (DPoP), which this program does not check.
  if (payload.cnf !== undefined) throw new Error('bound tokens are not taken');
  return payload;
}

const hasScope = ({ scope }: JWTPayload, name: string): boolean =>
  String(scope).split(' ').includes(name);

createServer(async (request, response) => {
  const refuse = (status: number, error: string): unknown =>
    response.writeHead(status, { 'www-authenticate': `Bearer error="${error}"` }).end();
  const claims = await verify(request.headers.authorization).catch(() => undefined);
  if (!claims) return refuse(401, 'invalid_token');
  if (!hasScope(claims, 'orders:read')) return refuse(403, 'insufficient_scope');
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify({ of: claims.sub, client: claims.client_id, orders: [] }));
}).listen(PORT, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${PORT}/`));
