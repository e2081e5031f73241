import { useState } from 'react';
import { LinkButton } from '../components/button.tsx';
import { EmailInput, PasswordInput } from '../components/field.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { hashPassword } from '../lib/password.ts';
import { type LoginResult, logIn, type SignedIn } from './api.ts';
import { hasPasskeys, wasPasskeyUsedHere } from './passkey-hint.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import classes from './sign-in.module.css';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly notice: string;
  readonly failure: string;
  readonly onLoggedIn: (email: string, result: LoginResult) => void;
  readonly onSignedIn: (signedIn: SignedIn) => Promise<void>;
  /** Absent where the user has an account. */
  readonly onRegister?: (email: string) => void;
  readonly onReset: (email: string) => void;
  /** Other ways to sign in. */
  readonly others: React.ReactNode;
}

interface FieldsProps {
  /** The address that the form began with. */
  readonly known: string;
  readonly email: string;
  readonly onEmail: (email: string) => void;
}

function Fields({ known, email, onEmail }: FieldsProps) {
  const { t } = useTranslation('signIn');
  return (
    <>
      <EmailInput
        label={t('email')}
        autoComplete="username webauthn"
        autoFocus={known === ''}
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <PasswordInput
        name="password"
        label={t('password')}
        autoComplete="current-password"
        required
        autoFocus={known !== ''}
      />
    </>
  );
}

interface PasskeyPlaceProps {
  readonly isFirst: boolean;
  readonly onSignedIn: Props['onSignedIn'];
}

function PasskeyPlace({ isFirst, onSignedIn }: PasskeyPlaceProps) {
  const { t } = useTranslation('signIn');
  return (
    <div className={isFirst ? classes.first : classes.alternative}>
      <PasskeySignIn variant={isFirst ? 'filled' : 'default'} onSignedIn={onSignedIn} />
      {isFirst && <p className={classes.or}>{t('passkey.or')}</p>}
    </div>
  );
}

/** A passkey, or email and password; first comes what served in this browser before. */
export function PasswordStep(props: Props) {
  const { email, notice, failure, onLoggedIn, onSignedIn, onRegister, onReset, others } = props;
  const { t } = useTranslation('signIn');
  const submission = useSubmission(failure);
  const [typedEmail, setTypedEmail] = useState(email);
  const [canUsePasskey] = useState(hasPasskeys);
  const [isPasskeyFirst] = useState(() => canUsePasskey && wasPasskeyUsedHere());
  const passkey = canUsePasskey && (
    <PasskeyPlace isFirst={isPasskeyFirst} onSignedIn={onSignedIn} />
  );
  const submit = (form: HTMLFormElement): void => {
    const typed = fieldText(form, 'email');
    const password = String(new FormData(form).get('password') ?? '');
    submission.submit(async () => onLoggedIn(typed, await logIn(typed, hashPassword(password))));
  };
  return (
    <Step
      title={t('title')}
      notice={notice}
      before={isPasskeyFirst && passkey}
      submitLabel={t('submit')}
      submitVariant={isPasskeyFirst ? 'default' : 'filled'}
      submission={submission}
      onSubmit={submit}
      others={
        <>
          {!isPasskeyFirst && passkey}
          {others}
        </>
      }
      footer={
        onRegister && (
          <span>
            {t('noAccount')}{' '}
            <LinkButton onClick={() => onRegister(typedEmail)}>{t('createAccount')}</LinkButton>
          </span>
        )
      }
    >
      <Fields known={email} email={typedEmail} onEmail={setTypedEmail} />
      <div className={classes.row}>
        <LinkButton onClick={() => onReset(typedEmail)}>{t('forgot')}</LinkButton>
      </div>
    </Step>
  );
}
