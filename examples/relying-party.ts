/** A web application that signs users in with edge-account: OpenID Connect code flow with PKCE. */
import { createServer } from 'node:http';
import * as client from 'openid-client';

const ISSUER = process.env.ISSUER ?? 'http://localhost:8080';
const CLIENT_ID = process.env.CLIENT_ID ?? 'example-app';
const PORT = Number(process.env.PORT ?? 3000);
const HOME = `http://127.0.0.1:${PORT}`;

// Allows plain http for a service on this machine; omit `execute` elsewhere.
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, client.None(), {
  execute: [client.allowInsecureRequests],
});
/** PKCE verifiers of pending sign-ins, by state. Store them in the session of the browser. */
const pending = new Map<string, string>();

async function startSignIn(): Promise<URL> {
  const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()];
  pending.set(state, verifier);
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${HOME}/callback`,
    scope: 'openid email',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
}

async function finishSignIn(callback: URL): Promise<string> {
  const state = callback.searchParams.get('state') ?? '';
  const verifier = pending.get(state);
  if (verifier === undefined || !pending.delete(state)) return 'This sign-in was not started here.';
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const userId = tokens.claims()?.sub ?? '';
  const { email } = await client.fetchUserInfo(config, tokens.access_token, userId);
  return `Signed in as user ${userId}, ${email}.`;
}

createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', HOME);
  if (url.pathname !== '/callback')
    return response.writeHead(302, { location: (await startSignIn()).href }).end();
  const text = await finishSignIn(url).catch((error: Error) => `Not signed in: ${error.message}`);
  return response.setHeader('content-type', 'text/plain; charset=utf-8').end(text);
}).listen(PORT, '127.0.0.1', () => console.log(`open ${HOME}/`));
