/** The steps from "who are you" to "back to the application". Tokens live in this component's memory and nowhere else. */

import { useEffect, useState } from 'react';
import { isPassing, isProblem } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { Heading } from '../components/heading.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { rememberSignIn } from '../session/session-hint.ts';
import {
  askPasskey,
  type ConsentRequest,
  decideConsent,
  type LoginResult,
  proveFactor,
  type Registration,
  readConsent,
  type SignedIn,
  sendEmailCode,
} from './api.ts';
import { ConsentStep, type Decision } from './consent-step.tsx';
import { FactorStep } from './factor-step.tsx';
import type { Known } from './find-existing-session.ts';
import { PasswordStep } from './password-step.tsx';
import { RegisterStep } from './register-step.tsx';
import { keepRegistration, readKeptRegistration } from './registration-draft.ts';
import { ResetStep } from './reset-step.tsx';
import classes from './sign-in.module.css';
import { useBackGesture } from './use-history-steps.ts';
import { VerifyEmailStep } from './verify-email-step.tsx';

type State =
  | {
      readonly step: 'password';
      readonly email: string;
      readonly notice: string;
      readonly failure: string;
    }
  | { readonly step: 'register'; readonly known: Registration; readonly isReloaded?: boolean }
  | { readonly step: 'verify-email'; readonly registration: Registration; readonly ticket: string }
  | {
      readonly step: 'factor';
      readonly email: string;
      readonly login: LoginResult;
      readonly notice: string;
    }
  | { readonly step: 'reset'; readonly email: string }
  | {
      readonly step: 'consent';
      readonly signedIn: Known['signedIn'];
      readonly request: ConsentRequest;
    }
  | { readonly step: 'leaving'; readonly client: string }
  | { readonly step: 'failed'; readonly message: string; readonly retry: () => void };

export interface SignInFlowProps {
  readonly interactionId: string;
  /** Somebody who is signed in already: the flow begins at what is asked of them. */
  readonly known?: Known | undefined;
  /** Why the person is asked, where that is not plain. */
  readonly notice?: string;
  /** The address of whoever is signed in and does it once more. */
  readonly renewing?: string;
  /** Taken from a referral link; opens the flow at the registration. */
  readonly referralCode?: string;
  /** Called with the address at which the flow goes on. */
  readonly onLeave: (redirectTo: string) => void | Promise<void>;
  /** Begins another request where this one is over. Absent where only the application can. */
  readonly onRestart?: () => void;
  /** Called where the request is over, and only the application can begin another. */
  readonly onOver?: () => void;
}

const NOBODY: Registration = { email: '', nickname: '', password: '', referralCode: '' };
const START: State = { step: 'password', email: '', notice: '', failure: '' };

function firstStep(referralCode: string, email: string, notice: string): State {
  if (referralCode === '' || notice !== '') return { step: 'password', email, notice, failure: '' };
  return { step: 'register', known: { ...NOBODY, referralCode } };
}

function stepAfterReload(): State | undefined {
  const known = readKeptRegistration();
  return known && { step: 'register', known, isReloaded: true };
}

/** A code is on its way, or a reload has made it useless. */
function registrationToKeep(state: State): Registration | undefined {
  if (state.step === 'verify-email') return state.registration;
  return state.step === 'register' && state.isReloaded ? state.known : undefined;
}

export function SignInFlow({
  interactionId,
  known,
  notice = '',
  renewing = '',
  referralCode = '',
  onLeave,
  onRestart,
  onOver,
}: SignInFlowProps) {
  const { t } = useTranslation('signIn');
  const textOf = useProblemText();
  const [first] = useState<State>(() =>
    known ? { step: 'consent', ...known } : firstStep(referralCode, renewing, notice),
  );
  const [state, setState] = useState(() =>
    first.step === 'consent' || renewing !== '' ? first : (stepAfterReload() ?? first),
  );
  useEffect(() => keepRegistration(registrationToKeep(state)), [state]);
  const takeStepsAway = useBackGesture(state.step === first.step || state.step === 'leaving', () =>
    setState(
      state.step === 'verify-email' ? { step: 'register', known: state.registration } : first,
    ),
  );

  const goToLogin = (email: string, notice = '', failure = ''): void =>
    setState({ step: 'password', email, notice, failure });

  /** What another try cannot mend ends the request, or the sign-in that it came with. */
  const fail = (error: unknown, email: string, again: () => void): void => {
    if (onOver && isProblem(error, 'interaction_expired')) void takeStepsAway().then(onOver);
    else
      setState({
        step: 'failed',
        message: textOf(error),
        retry: isPassing(error) ? again : (onRestart ?? (() => goToLogin(email))),
      });
  };

  const decide = async (
    signedIn: Known['signedIn'],
    request: ConsentRequest,
    decision: Decision,
    categories: readonly string[],
  ): Promise<void> => {
    const redirectTo = await decideConsent(
      interactionId,
      signedIn.access_token,
      decision,
      categories,
    );
    setState({ step: 'leaving', client: request.client_name || t('consent.theApplication') });
    await takeStepsAway();
    await onLeave(redirectTo);
  };

  const goOn = async (signedIn: SignedIn): Promise<void> => {
    rememberSignIn(true);
    try {
      const request = await readConsent(interactionId, signedIn.access_token);
      if (request.allowed_already) await decide(signedIn, request, 'allow', []);
      else setState({ step: 'consent', signedIn, request });
    } catch (error) {
      fail(error, signedIn.email, () => void goOn(signedIn));
    }
  };

  const answer = async (
    { signedIn, request }: Known,
    decision: Decision,
    categories: readonly string[],
  ): Promise<void> => {
    try {
      await decide(signedIn, request, decision, categories);
    } catch (error) {
      // What may pass is said on the page with the question, where the answer can be given again.
      if (isPassing(error)) throw error;
      fail(error, signedIn.email, () => undefined);
    }
  };

  switch (state.step) {
    case 'password':
      return (
        <PasswordStep
          email={state.email}
          notice={state.notice}
          failure={state.failure}
          onLoggedIn={(email, login) => setState({ step: 'factor', email, login, notice: '' })}
          {...(renewing === '' && {
            onRegister: (email) =>
              setState({ step: 'register', known: { ...NOBODY, email, referralCode } }),
          })}
          onReset={(email) => setState({ step: 'reset', email })}
        />
      );
    case 'register':
      return (
        <RegisterStep
          known={state.known}
          notice={state.isReloaded ? t('register.reloaded') : ''}
          onRegistered={(registration, ticket) =>
            setState({ step: 'verify-email', registration, ticket })
          }
          onSignIn={() => goToLogin(state.known.email)}
        />
      );
    case 'verify-email': {
      const { registration, ticket } = state;
      return (
        <VerifyEmailStep
          registration={registration}
          ticket={ticket}
          onNewTicket={(renewed) => setState({ ...state, ticket: renewed })}
          onBack={() => setState({ step: 'register', known: registration })}
          onExpired={(isMadePerhaps) =>
            goToLogin(
              registration.email,
              '',
              t(isMadePerhaps ? 'register.madePerhaps' : 'register.expired'),
            )
          }
          onVerified={(signedIn) =>
            signedIn ? goOn(signedIn) : goToLogin(registration.email, t('register.done'))
          }
        />
      );
    }
    case 'factor': {
      const { email, login } = state;
      const ticket = login.login_ticket;
      return (
        <FactorStep
          email={login.email}
          methods={login.two_factor_methods}
          notice={state.notice}
          endpoints={{
            askPasskey: () =>
              askPasskey('/user/login/passkey-options', { email, login_ticket: ticket }),
            sendEmailCode: () => sendEmailCode(email, ticket),
            prove: async (proof) => goOn(await proveFactor(email, ticket, proof)),
          }}
          onBack={() => goToLogin(email)}
          onExpired={(error) => goToLogin(email, '', textOf(error))}
        />
      );
    }
    case 'reset':
      return (
        <ResetStep
          email={state.email}
          onDone={(email) => goToLogin(email, t('reset.done'))}
          onBack={() => goToLogin(state.email)}
        />
      );
    case 'consent':
      return (
        <ConsentStep
          request={state.request}
          email={state.signedIn.email}
          onDecide={(decision, categories) => answer(state, decision, categories)}
          onOtherAccount={() => setState(START)}
        />
      );
    case 'leaving':
      return (
        <Text role="status" isDimmed>
          {t('consent.leaving', { client: state.client })}
        </Text>
      );
    case 'failed':
      return (
        <div className={classes.skeletons}>
          <Heading className={classes.title}>{t('title')}</Heading>
          <Failure>{state.message}</Failure>
          <Button size="lg" onClick={state.retry}>
            {t('common:tryAgain')}
          </Button>
        </div>
      );
  }
}
