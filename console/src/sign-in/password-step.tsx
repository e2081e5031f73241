import { useState } from 'react';
import { LinkButton } from '../components/button.tsx';
import { PasswordInput, TextInput } from '../components/field.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { hashPassword } from '../lib/password.ts';
import { type LoginResult, logIn } from './api.ts';
import classes from './sign-in.module.css';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly notice: string;
  readonly failure: string;
  readonly onLoggedIn: (email: string, result: LoginResult) => void;
  /** Absent where the user has an account. */
  readonly onRegister?: (email: string) => void;
  readonly onReset: (email: string) => void;
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** True for what could be an email address; the code that is sent to it is the real test. */
export function looksLikeEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Email and password. */
export function PasswordStep({ email, notice, failure, onLoggedIn, onRegister, onReset }: Props) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission(failure);
  const [typedEmail, setTypedEmail] = useState(email);
  const submit = (form: HTMLFormElement): void => {
    const typed = fieldText(form, 'email');
    const password = String(new FormData(form).get('password') ?? '');
    const found = {
      ...(!looksLikeEmail(typed) && {
        email: typed === '' ? t('common:required') : t('emailInvalid'),
      }),
      ...(password === '' && { password: t('common:required') }),
    };
    if (Object.keys(found).length > 0) submission.refuse(found);
    else
      submission.submit(async () => onLoggedIn(typed, await logIn(typed, hashPassword(password))));
  };
  return (
    <Step
      title={t('title')}
      notice={notice}
      submitLabel={t('submit')}
      submission={submission}
      onSubmit={submit}
      footer={
        onRegister && (
          <span>
            {t('noAccount')}{' '}
            <LinkButton onClick={() => onRegister(typedEmail)}>{t('createAccount')}</LinkButton>
          </span>
        )
      }
    >
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus={email === ''}
        value={typedEmail}
        onChange={(event) => setTypedEmail(event.currentTarget.value)}
      />
      <PasswordInput
        name="password"
        label={t('password')}
        autoComplete="current-password"
        required
        autoFocus={email !== ''}
      />
      <div className={classes.row}>
        <LinkButton onClick={() => onReset(typedEmail)}>{t('forgot')}</LinkButton>
      </div>
    </Step>
  );
}
