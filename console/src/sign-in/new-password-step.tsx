import { useState } from 'react';
import { isLastTry, isProblem } from '../api/problem.ts';
import { LinkButton } from '../components/button.tsx';
import { PasswordInput } from '../components/field.tsx';
import { Text } from '../components/text.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { isCode, readCode } from '../lib/parse-code.ts';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { completeReset, type FactorMethod, requestReset, verifyReset } from './api.ts';
import { CodeField } from './code-field.tsx';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly ticket: string;
  /** The mailbox is proven already; the factors of which one is needed as well. */
  readonly proven: readonly FactorMethod[] | undefined;
  readonly onProven: (methods: readonly FactorMethod[]) => void;
  readonly onNewTicket: (ticket: string) => void;
  readonly onDone: () => void;
  readonly onFactor: (password: string, methods: readonly FactorMethod[]) => void;
  readonly onExpired: () => void;
  readonly onBack: () => void;
}

/** What sets the new password, or asks for the second factor first. */
function createChange({ email, ticket, proven, onProven, onDone, onFactor, onExpired }: Props) {
  const tryChange = async (code: string, password: string): Promise<void> => {
    const methods = proven ?? (await verifyReset(email, ticket, code, password));
    onProven(methods);
    if (methods.length > 0) return onFactor(password, methods);
    await completeReset(email, ticket, password);
    onDone();
  };

  return async (code: string, password: string): Promise<void> => {
    try {
      await tryChange(code, password);
    } catch (error) {
      if (!isProblem(error, 'invalid_ticket') && !isLastTry(error)) throw error;
      onExpired();
    }
  };
}

/**
 * The code of a reset and the new password. The code serves once: what is refused afterwards must
 * not ask for it again.
 */
export function NewPasswordStep(props: Props) {
  const { email, proven, onNewTicket, onBack } = props;
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [status, setStatus] = useState('');
  const change = createChange(props);

  const submit = (form: HTMLFormElement): void => {
    const code = readCode(fieldText(form, 'code'));
    const password = String(new FormData(form).get('login_password') ?? '');
    const isBadCode = !proven && !isCode(code);
    const isShort = [...password].length < PASSWORD_LENGTH_MIN;
    setStatus('');
    if (!isBadCode && !isShort) submission.submit(() => change(code, password));
    else
      submission.refuse({
        ...(isBadCode && { code: t('factor.codeInvalid') }),
        ...(isShort && {
          login_password: t('register.passwordShort', { count: PASSWORD_LENGTH_MIN }),
        }),
      });
  };

  const resend = (): void =>
    submission.submit(async () => {
      setStatus('');
      onNewTicket(await requestReset(email));
      setStatus(t('factor.resent'));
    });

  return (
    <Step
      title={t('reset.newTitle')}
      lead={proven ? undefined : t('register.verifyLead', { email })}
      notice={status}
      submitLabel={t('reset.save')}
      submission={submission}
      onSubmit={submit}
      footer={
        <>
          {!proven && <LinkButton onClick={resend}>{t('register.resend')}</LinkButton>}
          <LinkButton onClick={onBack}>{t('register.otherAddress')}</LinkButton>
        </>
      }
    >
      {!proven && <CodeField />}
      <PasswordInput
        name="login_password"
        label={t('reset.newPassword')}
        description={t('register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        required
        autoFocus={proven !== undefined}
      />
      {!proven && (
        <Text isSmall isDimmed>
          {t('reset.secondFactorHint')}
        </Text>
      )}
    </Step>
  );
}
