/** A user who is signed in to the console need not sign in again for an application. */
import { isServiceHere } from '../api/client.ts';
import { findSession } from '../session/authorize.ts';
import { type ConsentRequest, decideConsent, readConsent, type SignedIn } from './api.ts';

export interface ExistingSession {
  readonly signedIn: Pick<SignedIn, 'access_token' | 'email'>;
  readonly request: ConsentRequest;
}

/** After this time the user may be filling in the form: it stays. */
const LATE_MS = 1500;
const IDLE_WITHIN_MS = 200;

/** Waits until the page is drawn and responsive, where the browser reports it. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window)
      requestIdleCallback(() => resolve(), { timeout: IDLE_WITHIN_MS });
    else setTimeout(resolve, IDLE_WITHIN_MS);
  });
}

/**
 * The signed-in user, and the request. A request that needs no decision is answered, and the page
 * left.
 */
export async function findExistingSession(
  interactionId: string,
  isFormShown: boolean,
): Promise<ExistingSession | undefined> {
  if (!isServiceHere) return undefined;
  const begun_ms = performance.now();
  if (isFormShown) await whenIdle();
  try {
    const signedIn = await findSession();
    const request = signedIn && (await readConsent(interactionId, signedIn.access_token));
    if (
      !request ||
      request.must_sign_in_again ||
      (request.login_hint ?? signedIn.email) !== signedIn.email
    )
      return undefined;
    if (isFormShown && performance.now() - begun_ms > LATE_MS) return undefined;
    if (!request.allowed_already) return { signedIn, request };
    location.replace(
      await decideConsent({
        interactionId,
        token: signedIn.access_token,
        decision: 'allow',
        categories: [],
      }),
    );
    return new Promise(() => undefined);
  } catch {
    // The form stays.
  }
  return undefined;
}
