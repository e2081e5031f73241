/** Somebody who is signed in to the console in this browser need not sign in again for an application. */
import { isServiceHere } from '../api/http.ts';
import { findSession } from '../session/authorize.ts';
import { type ConsentRequest, decideConsent, readConsent, type SignedIn } from './api.ts';

export interface Known {
  readonly signedIn: Pick<SignedIn, 'access_token' | 'email'>;
  readonly request: ConsentRequest;
}

/** After this long the form is being filled in: nothing may take its place. */
const LATE_MS = 1500;
const IDLE_WITHIN_MS = 200;

/** Who has a form before them comes first: until the page is drawn and has answered them. Not every browser tells. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window)
      requestIdleCallback(() => resolve(), { timeout: IDLE_WITHIN_MS });
    else setTimeout(resolve, IDLE_WITHIN_MS);
  });
}

/** Who is known here, and what is asked of them, as soon as it is known. What needs no answer is answered, and the page left. */
export async function findKnown(
  interactionId: string,
  isFormShown: boolean,
): Promise<Known | undefined> {
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
    location.replace(await decideConsent(interactionId, signedIn.access_token, 'allow', []));
    return new Promise(() => undefined);
  } catch {
    // Then the form is the way.
  }
  return undefined;
}
