import { useState } from 'react';
import { LinkButton } from '../components/button.tsx';
import { EmailInput, PasswordInput } from '../components/field.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import type { FieldTexts } from '../i18n/problem-text.ts';
import type { Translate } from '../i18n/translate.ts';
import { readReferralCode } from '../lib/parse-code.ts';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { type Registration, register } from './api.ts';
import { Invitation } from './invitation.tsx';
import { checkNickname, NicknameInput, ReferralInput } from './profile-fields.tsx';
import { Step } from './step.tsx';

interface Props {
  /** What is known already: from a link, or typed before. */
  readonly known: Registration;
  readonly notice: string;
  readonly onRegistered: (registration: Registration, ticket: string) => void;
  readonly onSignIn: () => void;
  /** Other ways to register, with the referral code that was typed. */
  readonly others: (referralCode: string) => React.ReactNode;
}

function readForm(form: HTMLFormElement): Registration {
  return {
    email: fieldText(form, 'email'),
    nickname: fieldText(form, 'nickname'),
    password: String(new FormData(form).get('login_password') ?? ''),
    referralCode: readReferralCode(fieldText(form, 'referral_code')),
  };
}

/** Problems by field; empty when there are none. */
function checkRegistration(t: Translate<'signIn'>, registration: Registration): FieldTexts {
  return {
    ...checkNickname(t, registration.nickname),
    ...([...registration.password].length < PASSWORD_LENGTH_MIN && {
      login_password: t('register.passwordShort', { count: PASSWORD_LENGTH_MIN }),
    }),
  };
}

interface FieldsProps {
  readonly known: Registration;
  readonly onReferralCode: (text: string) => void;
}

/** The first empty field is focused after a reload or a link. */
function Fields({ known, onReferralCode }: FieldsProps) {
  const { t } = useTranslation('signIn');
  return (
    <>
      <EmailInput
        label={t('email')}
        autoComplete="email"
        defaultValue={known.email}
        autoFocus={known.email === '' || known.password !== ''}
      />
      <NicknameInput defaultValue={known.nickname} />
      <PasswordInput
        name="login_password"
        label={t('password')}
        description={t('register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        defaultValue={known.password}
        required
        autoFocus={known.email !== '' && known.password === ''}
      />
      <ReferralInput defaultValue={known.referralCode} onText={onReferralCode} />
    </>
  );
}

/** A new account. */
export function RegisterStep({ known, notice, onRegistered, onSignIn, others }: Props) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [referralCode, setReferralCode] = useState(known.referralCode);
  const submit = (form: HTMLFormElement): void => {
    const registration = readForm(form);
    const found = checkRegistration(t, registration);
    if (Object.keys(found).length > 0) submission.refuse(found);
    else submission.submit(async () => onRegistered(registration, await register(registration)));
  };
  return (
    <Step
      title={t('register.title')}
      notice={notice}
      before={known.referralCode !== '' && <Invitation code={known.referralCode} />}
      submitLabel={t('register.submit')}
      submission={submission}
      onSubmit={submit}
      others={others(readReferralCode(referralCode))}
      footer={
        <span>
          {t('haveAccount')} <LinkButton onClick={onSignIn}>{t('title')}</LinkButton>
        </span>
      }
    >
      <Fields known={known} onReferralCode={setReferralCode} />
    </Step>
  );
}
