/** The steps from the password to the redirect to the application. */
import { Button } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { Heading } from '../components/heading.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { WalletButtons } from '../wallet-sign-in/wallet-buttons.tsx';
import { askLoginPasskey, proveFactor, register, sendEmailCode } from './api.ts';
import { ConsentStep } from './consent-step.tsx';
import { FactorStep } from './factor-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { RegisterStep } from './register-step.tsx';
import { ResetStep } from './reset-step.tsx';
import classes from './sign-in.module.css';
import { EMPTY_REGISTRATION, FIRST_STATE, findStateBefore, type StateOf } from './sign-in-state.ts';
import { forgetWaiting, registerUpstream, type UpstreamResult } from './upstream.ts';
import { UpstreamButtons } from './upstream-buttons.tsx';
import { UpstreamRegisterStep, UpstreamReturn } from './upstream-step.tsx';
import { type SignInFlowControl, type SignInFlowProps, useSignInFlow } from './use-sign-in-flow.ts';
import { VerifyEmailStep } from './verify-email-step.tsx';

export type { SignInFlowProps } from './use-sign-in-flow.ts';

interface StepProps<Step extends SignInFlowControl['state']['step']> {
  readonly state: StateOf<Step>;
  readonly flow: SignInFlowControl;
}

function VerifyEmail({ state, flow }: StepProps<'verify-email' | 'upstream-verify'>) {
  const { t } = useTranslation('signIn');
  const { email } = state.step === 'verify-email' ? state.registration : state.account;
  return (
    <VerifyEmailStep
      email={email}
      ticket={state.ticket}
      askAgain={() =>
        state.step === 'verify-email'
          ? register(state.registration)
          : registerUpstream({ ...state.account, nickname: state.account.name })
      }
      onNewTicket={(ticket) => flow.setState({ ...state, ticket })}
      // The address of an account of a provider cannot be changed here.
      backLabel={t(state.step === 'verify-email' ? 'register.otherAddress' : 'common:back')}
      onBack={() => flow.setState(findStateBefore(state) ?? FIRST_STATE)}
      onExpired={(isMadePerhaps) =>
        flow.goToLogin(email, '', t(isMadePerhaps ? 'register.madePerhaps' : 'register.expired'))
      }
      onVerified={(signedIn) =>
        signedIn ? flow.continueSignIn(signedIn) : flow.goToLogin(email, t('register.done'))
      }
    />
  );
}

function SecondFactor({ state: { email, login, notice }, flow }: StepProps<'factor'>) {
  const textOf = useProblemText();
  const ticket = login.login_ticket;
  return (
    <FactorStep
      email={login.email}
      methods={login.two_factor_methods}
      notice={notice}
      endpoints={{
        askPasskey: () => askLoginPasskey(email, ticket),
        sendEmailCode: () => sendEmailCode(email, ticket),
        prove: async (proof) => flow.continueSignIn(await proveFactor(email, ticket, proof)),
      }}
      onBack={() => flow.goToLogin(email)}
      onExpired={(error) => flow.goToLogin(email, '', textOf(error))}
    />
  );
}

/** Another provider has sent the browser back. */
function Upstream({
  state: { callback },
  flow,
  referralCode,
}: StepProps<'upstream'> & { readonly referralCode: string }) {
  const textOf = useProblemText();
  const onResult = (result: UpstreamResult): void => {
    forgetWaiting();
    if (result.next === 'signed_in') void flow.continueSignIn(result);
    else if (result.next === 'second_factor')
      flow.setState({ step: 'factor', email: result.email, login: result, notice: '' });
    else {
      const { registration_ticket: ticket, email, name } = result;
      flow.setState({ step: 'upstream-register', account: { ticket, email, name, referralCode } });
    }
  };
  return (
    <UpstreamReturn
      callback={callback}
      onResult={onResult}
      onFailed={(error) => flow.goToLogin('', '', textOf(error))}
    />
  );
}

function UpstreamRegister({
  state: { account },
  flow: { setState, goToLogin },
}: StepProps<'upstream-register'>) {
  return (
    <UpstreamRegisterStep
      account={account}
      onRegistered={(known, ticket) =>
        setState({ step: 'upstream-verify', account: known, ticket })
      }
      onBack={() => goToLogin('')}
    />
  );
}

function Failed({ state }: { readonly state: StateOf<'failed'> }) {
  const { t } = useTranslation('signIn');
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

function Password({
  state: { email, notice, failure },
  flow,
  props: { interactionId, renewing = '', referralCode = '' },
}: StepProps<'password'> & { readonly props: SignInFlowProps }) {
  return (
    <PasswordStep
      email={email}
      notice={notice}
      others={
        renewing === '' && (
          <>
            <UpstreamButtons interactionId={interactionId} referralCode={referralCode} />
            <WalletButtons
              onResult={(login) =>
                flow.setState({ step: 'factor', email: login.email, login, notice: '' })
              }
            />
          </>
        )
      }
      failure={failure}
      onSignedIn={flow.continueSignIn}
      onLoggedIn={(typed, login) =>
        flow.setState({ step: 'factor', email: typed, login, notice: '' })
      }
      {...(renewing === '' && {
        onRegister: (typed) =>
          flow.setState({
            step: 'register',
            known: { ...EMPTY_REGISTRATION, email: typed, referralCode },
          }),
      })}
      onReset={(typed) => flow.setState({ step: 'reset', email: typed })}
    />
  );
}

export function SignInFlow(props: SignInFlowProps) {
  const { t } = useTranslation('signIn');
  const flow = useSignInFlow(props);
  const { state, setState, goToLogin } = flow;
  switch (state.step) {
    case 'password':
      return <Password state={state} flow={flow} props={props} />;
    case 'register':
      return (
        <RegisterStep
          known={state.known}
          notice={state.isReloaded ? t('register.reloaded') : ''}
          onRegistered={(registration, ticket) =>
            setState({ step: 'verify-email', registration, ticket })
          }
          onSignIn={() => goToLogin(state.known.email)}
          others={(referralCode) => (
            <UpstreamButtons interactionId={props.interactionId} referralCode={referralCode} />
          )}
        />
      );
    case 'verify-email':
    case 'upstream-verify':
      return <VerifyEmail state={state} flow={flow} />;
    case 'factor':
      return <SecondFactor state={state} flow={flow} />;
    case 'upstream':
      return <Upstream state={state} flow={flow} referralCode={props.referralCode ?? ''} />;
    case 'upstream-register':
      return <UpstreamRegister state={state} flow={flow} />;
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
          onDecide={(decision, categories) => flow.answer(state, decision, categories)}
          onOtherAccount={() => setState(FIRST_STATE)}
        />
      );
    case 'leaving':
      return (
        <Text role="status" isDimmed>
          {t('consent.leaving', { client: state.client })}
        </Text>
      );
    case 'failed':
      return <Failed state={state} />;
  }
}
