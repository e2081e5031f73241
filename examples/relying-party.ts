/** A web application that signs users in with edge-account: OpenID Connect code flow with PKCE. */
import { createServer } from 'node:http';
import * as client from 'openid-client';

const ISSUER = new URL(process.env.ISSUER ?? 'http://localhost:8080');
const CLIENT_ID = process.env.CLIENT_ID ?? 'example-app';
const HOME = new URL(`http://127.0.0.1:${process.env.PORT ?? 3000}/`);
// Allows plain http for a service on this machine; leave it out elsewhere.
const options = { execute: [client.allowInsecureRequests] };
const config = await client.discovery(ISSUER, CLIENT_ID, undefined, client.None(), options);
/** PKCE verifiers of pending sign-ins, by state. Store them in the session of the browser. */
const pending = new Map<string, string>();

async function startSignIn(): Promise<URL> {
  const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()];
  pending.set(state, verifier);
  const code_challenge = await client.calculatePKCECodeChallenge(verifier);
  const request = { redirect_uri: `${HOME}callback`, scope: 'openid email', state };
  const pkce = { code_challenge, code_challenge_method: 'S256' };
  return client.buildAuthorizationUrl(config, { ...request, ...pkce });
}

async function finishSignIn(callback: URL): Promise<string> {
  const expectedState = callback.searchParams.get('state') ?? '';
  const pkceCodeVerifier = pending.get(expectedState) ?? '';
  if (!pending.delete(expectedState)) return 'This sign-in was not started here.';
  const checks = { pkceCodeVerifier, expectedState };
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
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
}).listen(Number(HOME.port), '127.0.0.1', () => console.log(`open ${HOME}`));
