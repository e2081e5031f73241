/** An application of another party that requests access. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openOperator, registerClient } from './seed.ts';

export const WEATHER = { client_id: 'weather', client_name: 'Weather', type: 'public' } as const;

export const POLICY = 'https://weather.example/privacy';

/** Its redirect URI; the challenge is the one of RFC 7636, because the code is never redeemed. */
export function askingAddress(redirectUri: string, scopes: readonly string[]): string {
  const search = new URLSearchParams({
    client_id: WEATHER.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes.join(' '),
    state: 'sunny',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  return `/oauth2/authorize?${search}`;
}

export interface Application {
  readonly origin: string;
  /** The page on which it requests access. */
  readonly asking: string;
  close(): void;
}

/**
 * Registers it with a redirect URI on another site than the service.
 * @param logo a PNG, which the service must be able to fetch from this machine
 */
export async function openApplication(
  service: { readonly baseUrl: string; readonly dataDir: string },
  scopes: readonly string[],
  logo?: Buffer,
): Promise<Application> {
  const server = createServer(({ url }, response) =>
    url === '/logo.png'
      ? response.setHeader('content-type', 'image/png').end(logo)
      : response.setHeader('content-type', 'text/html').end('<title>Weather</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await registerClient(await openOperator(service), {
    ...WEATHER,
    redirect_uris: [`${origin}/back`],
    policy_uri: POLICY,
    ...(logo && { logo_uri: `${origin}/logo.png` }),
    scopes,
  });
  return {
    origin,
    asking: askingAddress(`${origin}/back`, scopes),
    close: () => void server.close(),
  };
}
