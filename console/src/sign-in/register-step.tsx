import { useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { useTranslation } from '../i18n/index.ts';
import { fieldProblemText } from '../i18n/problem-text.ts';
import { readReferralCode } from '../lib/code-text.ts';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { LinkButton } from '../parts/button.tsx';
import { PasswordInput, TextInput } from '../parts/field.tsx';
import { fieldText, useSubmission } from '../parts/submission.ts';
import { type Registration, register } from './api.ts';
import { looksLikeEmail } from './password-step.tsx';
import { Step } from './step.tsx';

interface Props {
  /** What is known already: from a link, or typed before. */
  readonly known: Registration;
  readonly onRegistered: (registration: Registration, ticket: string) => void;
  readonly onSignIn: () => void;
}

type Problems = Partial<Record<keyof Registration, string>>;

const API_FIELDS = { email: 'email', nickname: 'nickname', login_password: 'password', referral_code: 'referralCode' } as const;

function readForm(form: HTMLFormElement): Registration {
  return {
    email: fieldText(form, 'email'),
    nickname: fieldText(form, 'nickname'),
    password: String(new FormData(form).get('password') ?? ''),
    referralCode: readReferralCode(fieldText(form, 'referral_code')),
  };
}

/** A new account. */
export function RegisterStep({ known, onRegistered, onSignIn }: Props) {
  const { t } = useTranslation('signIn');
  const { t: tCommon } = useTranslation('common');
  const submission = useSubmission();
  const [problems, setProblems] = useState<Problems>({});

  const check = (registration: Registration): Problems => ({
    ...(!looksLikeEmail(registration.email) && { email: registration.email === '' ? t('common:required') : t('emailInvalid') }),
    ...(registration.nickname === '' && { nickname: t('common:required') }),
    ...([...registration.password].length < PASSWORD_LENGTH_MIN && { password: t('register.passwordShort', { count: PASSWORD_LENGTH_MIN }) }),
  });

  const submit = (form: HTMLFormElement): void => {
    const registration = readForm(form);
    const found = check(registration);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    submission.submit(async () => {
      try {
        onRegistered(registration, await register(registration));
      } catch (error) {
        if (!isProblem(error, 'invalid_parameter')) throw error;
        const named = Object.entries(API_FIELDS).flatMap(([field, ours]) => {
          const problem = error.fieldProblem(field);
          return problem === undefined ? [] : [[ours, fieldProblemText(tCommon, problem)] as const];
        });
        if (named.length === 0) throw error;
        setProblems(Object.fromEntries(named));
      }
    });
  };

  return (
    <Step
      title={t('register.title')}
      submitLabel={t('register.submit')}
      submission={submission}
      onSubmit={submit}
      footer={
        <span>
          {t('haveAccount')} <LinkButton onClick={onSignIn}>{t('title')}</LinkButton>
        </span>
      }
    >
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={known.email}
        required
        autoFocus
        error={problems.email}
      />
      <TextInput
        name="nickname"
        label={t('register.nickname')}
        description={t('register.nicknameHint')}
        autoComplete="nickname"
        defaultValue={known.nickname}
        maxLength={64}
        required
        error={problems.nickname}
      />
      <PasswordInput
        name="password"
        label={t('password')}
        description={t('register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        defaultValue={known.password}
        required
        error={problems.password}
      />
      <TextInput
        name="referral_code"
        label={t('register.referral')}
        description={t('register.referralHint')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={known.referralCode}
        onBlur={(event) => {
          event.currentTarget.value = readReferralCode(event.currentTarget.value);
        }}
        error={problems.referralCode}
      />
    </Step>
  );
}
