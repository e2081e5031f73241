/** The state of a sign-in and its transitions. Tokens stay in this hook's memory. */
import { useEffect, useState } from 'react';
import { isPassing, isProblem } from '../api/problem.ts';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { rememberSignIn } from '../session/session-hint.ts';
import { decideConsent, readConsent, type SignedIn } from './api.ts';
import type { Decision } from './consent-step.tsx';
import type { ExistingSession } from './find-existing-session.ts';
import { keepRegistration } from './registration-draft.ts';
import {
  FIRST_STATE,
  findDraft,
  findFirstState,
  findStateAfterReload,
  findStateBefore,
  type SignInState,
} from './sign-in-state.ts';
import type { Callback } from './upstream.ts';
import { useBackGesture } from './use-history-steps.ts';

export interface SignInFlowProps {
  readonly interactionId: string;
  /** A signed-in user: the flow starts at the consent. */
  readonly known?: ExistingSession | undefined;
  /** Why the user has to sign in. */
  readonly notice?: string;
  /** The address of a signed-in user who signs in again. */
  readonly renewing?: string;
  /** The address that the form begins with. */
  readonly loginHint?: string;
  /** The flow starts at the registration. */
  readonly isNew?: boolean;
  /** Where another provider has sent the browser back: the flow continues there. */
  readonly callback?: Callback;
  /** Why another provider has sent the browser back without a sign-in. */
  readonly failure?: string;
  /** From a referral link; the flow starts at the registration. */
  readonly referralCode?: string;
  /** Called with the address at which the flow continues. */
  readonly onLeave: (redirectTo: string) => void | Promise<void>;
  /** Starts another request. Absent where only the application can. */
  readonly onRestart?: () => void;
  /** Called when the request has expired, and only the application can start another. */
  readonly onOver?: () => void;
}

export interface SignInFlowControl {
  readonly state: SignInState;
  readonly setState: (state: SignInState) => void;
  readonly goToLogin: (email: string, notice?: string, failure?: string) => void;
  /** Continues after the second factor. */
  readonly continueSignIn: (signedIn: SignedIn) => Promise<void>;
  readonly answer: (
    known: ExistingSession,
    decision: Decision,
    categories: readonly string[],
  ) => Promise<void>;
}

/** The state, kept over a reload where its draft allows that, and over the browser's "back". */
function useStates({
  known,
  notice = '',
  renewing = '',
  loginHint = '',
  referralCode = '',
  isNew = referralCode !== '',
  callback,
  failure,
}: SignInFlowProps) {
  const [first] = useState<SignInState>(() =>
    known
      ? { step: 'consent', ...known }
      : callback
        ? { step: 'upstream', callback }
        : failure !== undefined
          ? { ...FIRST_STATE, failure }
          : findFirstState({ isNew, referralCode, email: renewing || loginHint, notice }),
  );
  const [state, setState] = useState<SignInState>(() =>
    first.step === 'consent' || renewing !== '' ? first : (findStateAfterReload() ?? first),
  );
  useEffect(() => keepRegistration(findDraft(state)), [state]);
  const removeSteps = useBackGesture(state.step === first.step || state.step === 'leaving', () =>
    setState(findStateBefore(state) ?? first),
  );
  return { state, setState, removeSteps };
}

export function useSignInFlow(props: SignInFlowProps): SignInFlowControl {
  const { interactionId, onLeave, onRestart, onOver } = props;
  const { t } = useTranslation('signIn');
  const textOf = useProblemText();
  const { state, setState, removeSteps } = useStates(props);

  const goToLogin = (email: string, notice = '', failure = ''): void =>
    setState({ step: 'password', email, notice, failure });

  /** A failure that a retry cannot cure ends the request or the sign-in. */
  const fail = (error: unknown, email: string, again: () => void): void => {
    if (onOver && isProblem(error, 'interaction_expired')) void removeSteps().then(onOver);
    else
      setState({
        step: 'failed',
        message: textOf(error),
        retry: isPassing(error) ? again : (onRestart ?? (() => goToLogin(email))),
      });
  };

  const decide = async (
    { signedIn, request }: ExistingSession,
    decision: Decision,
    categories: readonly string[],
  ): Promise<void> => {
    const token = signedIn.access_token;
    const redirectTo = await decideConsent({ interactionId, token, decision, categories });
    setState({ step: 'leaving', client: request.client_name || t('consent.theApplication') });
    await removeSteps();
    // Also where the effect of the last step comes too late, or for another entry.
    keepRegistration(undefined);
    await onLeave(redirectTo);
  };

  const continueSignIn = async (signedIn: SignedIn): Promise<void> => {
    rememberSignIn(true);
    try {
      const request = await readConsent(interactionId, signedIn.access_token);
      if (request.allowed_already) await decide({ signedIn, request }, 'allow', []);
      else setState({ step: 'consent', signedIn, request });
    } catch (error) {
      fail(error, signedIn.email, () => void continueSignIn(signedIn));
    }
  };

  const answer: SignInFlowControl['answer'] = async (known, decision, categories) => {
    try {
      await decide(known, decision, categories);
    } catch (error) {
      // Shown at the consent, where the user can answer again.
      if (isPassing(error)) throw error;
      fail(error, known.signedIn.email, () => undefined);
    }
  };

  return { state, setState, goToLogin, continueSignIn, answer };
}
