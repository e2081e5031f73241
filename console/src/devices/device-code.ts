/** The device flow's person side: what waits under a code, and the decision. */
import { queryOptions } from '@tanstack/react-query';
import { callAsMe } from '../session/session.ts';

export interface WaitingDevice {
  readonly user_code: string;
  readonly client_name: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  /** Kinds of traffic that it asks for. */
  readonly categories: readonly string[];
  readonly device_ip?: string;
  readonly device_user_agent?: string;
}

/** What waits under a code; asked once for each code. */
export const waitingDeviceQuery = (userCode: string | undefined) =>
  queryOptions({
    queryKey: ['waiting-device', userCode],
    queryFn: () =>
      callAsMe<WaitingDevice>('GET', '/oauth2/device', { query: { user_code: userCode ?? '' } }),
    enabled: userCode !== undefined,
    retry: false,
    // Whatever else happens in the account: each look-up counts as a guess, and once it is decided nothing is there.
    staleTime: 'static',
    gcTime: 0,
  });

export async function decideDevice(
  userCode: string,
  decision: 'allow' | 'deny',
  categories: readonly string[],
): Promise<void> {
  await callAsMe('POST', '/oauth2/device', { body: { user_code: userCode, decision, categories } });
}
