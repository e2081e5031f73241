import { useState } from 'react';
import { isLastTry, isProblem, isUnsettled } from '../api/problem.ts';
import { LinkButton } from '../components/button.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { isCode, readCode } from '../lib/parse-code.ts';
import { type SignedIn, signInAfterRegistration, verifyRegistration } from './api.ts';
import { CodeField } from './code-field.tsx';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly ticket: string;
  /** Mails a new code, and returns its ticket. */
  readonly askAgain: () => Promise<string>;
  readonly onNewTicket: (ticket: string) => void;
  readonly backLabel: string;
  readonly onBack: () => void;
  /**
   * The ticket is used up or expired. If a response was lost, the account may exist: the user can
   * sign in.
   */
  readonly onExpired: (isMadePerhaps: boolean) => void;
  /** Without a sign-in when the account is there but could not be signed in at once. */
  readonly onVerified: (signedIn: SignedIn | undefined) => void | Promise<void>;
}

/** The code that proves a new account's email. */
export function VerifyEmailStep(props: Props) {
  const { email, ticket, askAgain, onNewTicket, backLabel, onBack, onExpired, onVerified } = props;
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [status, setStatus] = useState('');
  const [isMadePerhaps, setMadePerhaps] = useState(false);
  const resend = (): void =>
    submission.submit(async () => {
      setStatus('');
      onNewTicket(await askAgain());
      setStatus(t('factor.resent'));
    });
  const verify = async (code: string): Promise<void> => {
    try {
      await onVerified(await verifyRegistration(email, ticket, code));
    } catch (error) {
      if (isUnsettled(error)) setMadePerhaps(true);
      // Another code is one press away.
      if (isLastTry(error)) return submission.setMessage(t('register.lastTry'));
      if (!isProblem(error, 'invalid_ticket')) throw error;
      const signedIn = isMadePerhaps
        ? await signInAfterRegistration(email, ticket, code).catch(() => undefined)
        : undefined;
      if (signedIn) await onVerified(signedIn);
      else onExpired(isMadePerhaps);
    }
  };
  const submit = (form: HTMLFormElement): void => {
    const code = readCode(fieldText(form, 'code'));
    if (!isCode(code)) {
      submission.refuse({ code: t('factor.codeInvalid') });
      return;
    }
    submission.submit(() => verify(code));
  };
  return (
    <Step
      title={t('register.verifyTitle')}
      lead={t('register.verifyLead', { email })}
      notice={status}
      submitLabel={t('factor.verify')}
      submission={submission}
      onSubmit={submit}
      footer={
        <>
          <LinkButton onClick={resend}>{t('register.resend')}</LinkButton>
          <LinkButton onClick={onBack}>{backLabel}</LinkButton>
        </>
      }
    >
      <CodeField />
    </Step>
  );
}
