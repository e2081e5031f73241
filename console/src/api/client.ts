/** The service's API, through the SDK's client. */
import { createEdgeClient, unwrap } from '@edge-account/sdk';
import { serverClock } from '../lib/server-clock.ts';

/**
 * The origin of the service, for a sign-in page that its operator serves from another origin; else
 * empty.
 */
const SERVICE = document.querySelector<HTMLMetaElement>('meta[name=edge-service]')?.content ?? '';

export const isServiceHere = SERVICE === '';

/** The console, wherever this page is. */
export const CONSOLE_ADDRESS = `${SERVICE}/`;

export const CLIENT_OPTIONS = {
  baseUrl: SERVICE,
  clock: serverClock,
  // The user's choice, which may differ from the browser's: mails are written in it.
  headers: () => ({ 'accept-language': document.documentElement.lang }),
};

/** Operations that need no token, or one that is passed with them. */
export const { api: publicApi } = createEdgeClient(CLIENT_OPTIONS);

/** The header of a token that does not belong to the console's session. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Fulfilled when the service answers. @throws EdgeError */
export async function checkHealth(): Promise<void> {
  await unwrap(publicApi.GET('/healthz'));
}
