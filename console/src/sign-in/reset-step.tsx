import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { finishReset, requestReset } from './api.ts';
import { CodeField, isCode, readCode } from './code-field.tsx';
import { looksLikeEmail } from './password-step.tsx';
import { fieldText, Step, useSubmission } from './step.tsx';

interface Props {
  readonly email: string;
  readonly onDone: (email: string) => void;
  readonly onBack: () => void;
}

interface Requested {
  readonly email: string;
  readonly ticket: string;
}

/** A forgotten password: a code by email, then a new password. */
export function ResetStep({ email, onDone, onBack }: Props) {
  const [requested, setRequested] = useState<Requested>();
  if (requested) return <NewPassword requested={requested} onDone={onDone} />;
  return <AskEmail email={email} onRequested={setRequested} onBack={onBack} />;
}

function AskEmail({ email, onRequested, onBack }: { email: string; onRequested: (requested: Requested) => void; onBack: () => void }) {
  const { t } = useTranslation(['signIn', 'common']);
  const submission = useSubmission();
  const [problem, setProblem] = useState<string>();
  const submit = (form: HTMLFormElement): void => {
    const typed = fieldText(form, 'email');
    setProblem(looksLikeEmail(typed) ? undefined : t('emailInvalid'));
    if (looksLikeEmail(typed)) submission.submit(async () => onRequested({ email: typed, ticket: await requestReset(typed) }));
  };
  return (
    <Step
      title={t('reset.title')}
      lead={t('reset.lead')}
      submitLabel={t('reset.submit')}
      submission={submission}
      onSubmit={submit}
      footer={
        <Anchor component="button" type="button" onClick={onBack}>
          {t('common:back')}
        </Anchor>
      }
    >
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        autoComplete="username"
        inputMode="email"
        defaultValue={email}
        required
        withAsterisk={false}
        autoFocus
        error={problem}
      />
    </Step>
  );
}

function NewPassword({ requested, onDone }: { requested: Requested; onDone: (email: string) => void }) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [problems, setProblems] = useState<{ code?: string; password?: string }>({});
  const submit = (form: HTMLFormElement): void => {
    const code = readCode(fieldText(form, 'code'));
    const password = String(new FormData(form).get('password') ?? '');
    const isShort = [...password].length < PASSWORD_LENGTH_MIN;
    setProblems({
      ...(!isCode(code) && { code: t('factor.codeInvalid') }),
      ...(isShort && { password: t('register.passwordShort', { count: PASSWORD_LENGTH_MIN }) }),
    });
    if (!isCode(code) || isShort) return;
    submission.submit(async () => {
      await finishReset(requested.email, requested.ticket, code, password);
      onDone(requested.email);
    });
  };
  return (
    <Step
      title={t('reset.newTitle')}
      lead={t('register.verifyLead', { email: requested.email })}
      submitLabel={t('reset.save')}
      submission={submission}
      onSubmit={submit}
      footer={t('reset.secondFactorHint')}
    >
      <CodeField {...(problems.code !== undefined && { error: problems.code })} />
      <PasswordInput
        name="password"
        label={t('reset.newPassword')}
        description={t('register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        required
        withAsterisk={false}
        error={problems.password}
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
      />
    </Step>
  );
}
