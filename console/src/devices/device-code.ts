/** Device authorization, user side: the device that waits under a code, and the decision. */
import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../session/session-api.ts';

export type WaitingDevice = ResponseBody<'/oauth2/device', 'get'>;

/** The device that waits under a code; read once for each code. */
export const waitingDeviceQuery = (userCode: string | undefined) =>
  queryOptions({
    queryKey: ['waiting-device', userCode],
    queryFn: () =>
      unwrap(api.GET('/oauth2/device', { params: { query: { user_code: userCode ?? '' } } })),
    enabled: userCode !== undefined,
    retry: false,
    // Each read counts as a guess, and finds nothing after the decision.
    staleTime: 'static',
    gcTime: 0,
  });

export async function decideDevice(
  userCode: string,
  decision: 'allow' | 'deny',
  categories: readonly string[],
): Promise<void> {
  await unwrap(
    api.POST('/oauth2/device', {
      body: { user_code: userCode, decision, categories: [...categories] },
    }),
  );
}
