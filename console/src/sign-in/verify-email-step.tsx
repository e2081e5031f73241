import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { fieldText, useSubmission } from '../parts/submission.ts';
import { type SignedIn, verifyRegistration } from './api.ts';
import { CodeField, isCode, readCode } from './code-field.tsx';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly ticket: string;
  /** Without a sign-in when the account is there but could not be signed in at once. */
  readonly onVerified: (signedIn: SignedIn | undefined) => void | Promise<void>;
}

/** The code that proves a new account's email. */
export function VerifyEmailStep({ email, ticket, onVerified }: Props) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [problem, setProblem] = useState<string>();
  const submit = (form: HTMLFormElement): void => {
    const code = readCode(fieldText(form, 'code'));
    setProblem(isCode(code) ? undefined : t('factor.codeInvalid'));
    if (!isCode(code)) return;
    submission.submit(async () => {
      await onVerified(await verifyRegistration(email, ticket, code));
    });
  };
  return (
    <Step
      title={t('register.verifyTitle')}
      lead={t('register.verifyLead', { email })}
      submitLabel={t('factor.verify')}
      submission={submission}
      onSubmit={submit}
    >
      <CodeField {...(problem !== undefined && { error: problem })} />
    </Step>
  );
}
