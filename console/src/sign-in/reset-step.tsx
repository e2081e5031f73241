import { useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { useTranslation } from '../i18n/index.ts';
import { isCode, readCode } from '../lib/code-text.ts';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { LinkButton } from '../parts/button.tsx';
import { PasswordInput, TextInput } from '../parts/field.tsx';
import { fieldText, useSubmission } from '../parts/submission.ts';
import { askPasskey, completeReset, type FactorMethod, requestReset, verifyReset } from './api.ts';
import { CodeField } from './code-field.tsx';
import { FactorStep } from './factor-step.tsx';
import { looksLikeEmail } from './password-step.tsx';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly onDone: (email: string) => void;
  readonly onExpired: (email: string, error: unknown) => void;
  readonly onBack: () => void;
}

type State =
  | { readonly step: 'email' }
  | { readonly step: 'new'; readonly email: string; readonly ticket: string }
  | { readonly step: 'factor'; readonly email: string; readonly ticket: string; readonly password: string; readonly methods: readonly FactorMethod[] };

/** A forgotten password: a code by email, a new password, and the stronger factor of those who have one. */
export function ResetStep({ email, onDone, onExpired, onBack }: Props) {
  const [state, setState] = useState<State>({ step: 'email' });
  switch (state.step) {
    case 'email':
      return <AskEmail email={email} onRequested={(typed, ticket) => setState({ step: 'new', email: typed, ticket })} onBack={onBack} />;
    case 'new':
      return (
        <NewPassword
          email={state.email}
          ticket={state.ticket}
          onDone={() => onDone(state.email)}
          onExpired={(error) => onExpired(state.email, error)}
          onFactor={(password, methods) => setState({ ...state, step: 'factor', password, methods })}
        />
      );
    case 'factor': {
      const body = { email: state.email, reset_ticket: state.ticket };
      return (
        <FactorStep
          email={state.email}
          methods={state.methods}
          notice=""
          endpoints={{
            askPasskey: () => askPasskey('/user/password/reset/passkey-options', body),
            prove: async (proof) => {
              await completeReset(state.email, state.ticket, state.password, proof);
              onDone(state.email);
            },
          }}
          onBack={onBack}
          onExpired={(error) => onExpired(state.email, error)}
        />
      );
    }
  }
}

function AskEmail({ email, onRequested, onBack }: { email: string; onRequested: (email: string, ticket: string) => void; onBack: () => void }) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [problem, setProblem] = useState<string>();
  const submit = (form: HTMLFormElement): void => {
    const typed = fieldText(form, 'email');
    setProblem(looksLikeEmail(typed) ? undefined : t('emailInvalid'));
    if (looksLikeEmail(typed)) submission.submit(async () => onRequested(typed, await requestReset(typed)));
  };
  return (
    <Step
      title={t('reset.title')}
      lead={t('reset.lead')}
      submitLabel={t('reset.submit')}
      submission={submission}
      onSubmit={submit}
      footer={<LinkButton onClick={onBack}>{t('common:back')}</LinkButton>}
    >
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        autoComplete="username"
        inputMode="email"
        defaultValue={email}
        required
        autoFocus
        error={problem}
      />
    </Step>
  );
}

interface NewPasswordProps {
  readonly email: string;
  readonly ticket: string;
  readonly onDone: () => void;
  readonly onExpired: (error: unknown) => void;
  readonly onFactor: (password: string, methods: readonly FactorMethod[]) => void;
}

function NewPassword({ email, ticket, onDone, onExpired, onFactor }: NewPasswordProps) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [isProven, setProven] = useState(false);
  const [problems, setProblems] = useState<{ code?: string; password?: string }>({});

  const tryChange = async (code: string, password: string): Promise<void> => {
    // The code serves once: a password that is refused afterwards must not ask for it again.
    const methods = isProven ? [] : await verifyReset(email, ticket, code);
    setProven(true);
    if (methods.length > 0) return onFactor(password, methods);
    await completeReset(email, ticket, password);
    onDone();
  };

  const change = async (code: string, password: string): Promise<void> => {
    try {
      await tryChange(code, password);
    } catch (error) {
      if (!isProblem(error, 'invalid_ticket')) throw error;
      onExpired(error);
    }
  };

  const submit = (form: HTMLFormElement): void => {
    const code = readCode(fieldText(form, 'code'));
    const password = String(new FormData(form).get('password') ?? '');
    const isBadCode = !isProven && !isCode(code);
    const isShort = [...password].length < PASSWORD_LENGTH_MIN;
    setProblems({
      ...(isBadCode && { code: t('factor.codeInvalid') }),
      ...(isShort && { password: t('register.passwordShort', { count: PASSWORD_LENGTH_MIN }) }),
    });
    if (!isBadCode && !isShort) submission.submit(() => change(code, password));
  };

  return (
    <Step
      title={t('reset.newTitle')}
      lead={t('register.verifyLead', { email })}
      submitLabel={t('reset.save')}
      submission={submission}
      onSubmit={submit}
      footer={t('reset.secondFactorHint')}
    >
      {!isProven && <CodeField {...(problems.code !== undefined && { error: problems.code })} />}
      <PasswordInput
        name="password"
        label={t('reset.newPassword')}
        description={t('register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        required
        error={problems.password}
      />
    </Step>
  );
}
