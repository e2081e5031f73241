/** The steps from "who are you" to "back to the application". Tokens live in this component's memory and nowhere else. */

import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { Button } from '../parts/button.tsx';
import { Text } from '../parts/text.tsx';
import { askPasskey, type ConsentRequest, decideConsent, type LoginResult, proveFactor, readConsent, type SignedIn, sendEmailCode } from './api.ts';
import { ConsentStep, type Decision } from './consent-step.tsx';
import { FactorStep } from './factor-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { RegisterStep } from './register-step.tsx';
import { ResetStep } from './reset-step.tsx';
import classes from './sign-in.module.css';
import { VerifyEmailStep } from './verify-email-step.tsx';

type State =
  | { readonly step: 'password'; readonly email: string; readonly notice: string; readonly failure: string }
  | { readonly step: 'register'; readonly email: string }
  | { readonly step: 'verify-email'; readonly email: string; readonly ticket: string }
  | { readonly step: 'factor'; readonly email: string; readonly login: LoginResult; readonly notice: string }
  | { readonly step: 'reset'; readonly email: string }
  | { readonly step: 'consent'; readonly signedIn: SignedIn; readonly request: ConsentRequest }
  | { readonly step: 'leaving'; readonly client: string }
  | { readonly step: 'failed'; readonly message: string; readonly retry: () => void };

export interface SignInFlowProps {
  readonly interactionId: string;
  /** Taken from a referral link; opens the flow at the registration. */
  readonly referralCode?: string;
  /** Called with the address at which the flow goes on. */
  readonly onLeave: (redirectTo: string) => void | Promise<void>;
}

const START: State = { step: 'password', email: '', notice: '', failure: '' };

export function SignInFlow({ interactionId, referralCode = '', onLeave }: SignInFlowProps) {
  const { t } = useTranslation('signIn');
  const textOf = useProblemText();
  const [state, setState] = useState<State>(referralCode === '' ? START : { step: 'register', email: '' });

  const decide = async (signedIn: SignedIn, request: ConsentRequest, decision: Decision, categories: readonly string[]): Promise<void> => {
    const redirectTo = await decideConsent(interactionId, signedIn.access_token, decision, categories);
    setState({ step: 'leaving', client: request.client_name || t('consent.theApplication') });
    await onLeave(redirectTo);
  };

  const goOn = async (signedIn: SignedIn): Promise<void> => {
    try {
      const request = await readConsent(interactionId, signedIn.access_token);
      if ((request.first_party && request.categories.length === 0) || request.allowed_already) await decide(signedIn, request, 'allow', []);
      else setState({ step: 'consent', signedIn, request });
    } catch (error) {
      setState({ step: 'failed', message: textOf(error), retry: () => void goOn(signedIn) });
    }
  };

  const goToLogin = (email: string, notice = '', failure = ''): void => setState({ step: 'password', email, notice, failure });

  switch (state.step) {
    case 'password':
      return (
        <PasswordStep
          email={state.email}
          notice={state.notice}
          failure={state.failure}
          onLoggedIn={(email, login) => setState({ step: 'factor', email, login, notice: '' })}
          onRegister={(email) => setState({ step: 'register', email })}
          onReset={(email) => setState({ step: 'reset', email })}
        />
      );
    case 'register':
      return (
        <RegisterStep
          email={state.email}
          referralCode={referralCode}
          onRegistered={(email, ticket) => setState({ step: 'verify-email', email, ticket })}
          onSignIn={() => goToLogin(state.email)}
        />
      );
    case 'verify-email': {
      const { email, ticket } = state;
      return <VerifyEmailStep email={email} ticket={ticket} onVerified={(signedIn) => (signedIn ? goOn(signedIn) : goToLogin(email, t('register.done')))} />;
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
            askPasskey: () => askPasskey('/user/login/passkey-options', { email, login_ticket: ticket }),
            sendEmailCode: () => sendEmailCode(email, ticket),
            prove: async (proof) => goOn(await proveFactor(email, ticket, proof)),
          }}
          onExpired={(error) => goToLogin(email, '', textOf(error))}
        />
      );
    }
    case 'reset':
      return (
        <ResetStep
          email={state.email}
          onDone={(email) => goToLogin(email, t('reset.done'))}
          onExpired={(email, error) => goToLogin(email, '', textOf(error))}
          onBack={() => goToLogin(state.email)}
        />
      );
    case 'consent':
      return (
        <ConsentStep
          request={state.request}
          email={state.signedIn.email}
          onDecide={(decision, categories) => decide(state.signedIn, state.request, decision, categories)}
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
          <h1 className={classes.title}>{t('title')}</h1>
          <div role="alert" className={classes.failure}>
            {state.message}
          </div>
          <Button size="lg" onClick={state.retry}>
            {t('common:tryAgain')}
          </Button>
        </div>
      );
  }
}
