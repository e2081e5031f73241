/** What follows when another provider has sent the browser back. */
import { useEffect, useState } from 'react';
import { LinkButton } from '../components/button.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { NICKNAME_LENGTH_MAX } from '../lib/characters.ts';
import { readReferralCode } from '../lib/parse-code.ts';
import { checkNickname, NicknameInput, ReferralInput } from './profile-fields.tsx';
import classes from './sign-in.module.css';
import { Step } from './step.tsx';
import {
  type Callback,
  finishUpstream,
  registerUpstream,
  type UpstreamResult,
} from './upstream.ts';

interface ReturnProps {
  readonly callback: Callback;
  readonly onResult: (result: UpstreamResult) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Redeems what the provider returned, once. */
export function UpstreamReturn({ callback, onResult, onFailed }: ReturnProps) {
  const { t } = useTranslation('signIn');
  const [result] = useState(() => finishUpstream(callback));
  useEffect(() => {
    let isGone = false;
    result.then(
      (found) => isGone || onResult(found),
      (error: unknown) => isGone || onFailed(error),
    );
    return () => {
      isGone = true;
    };
  });
  return (
    <div className={classes.skeletons} role="status" aria-label={t('common:loading')}>
      <Skeleton height={34} width="70%" />
      <Skeleton height={44} />
    </div>
  );
}

export interface UpstreamAccount {
  readonly ticket: string;
  readonly email: string;
  readonly name: string;
  readonly referralCode: string;
}

interface RegisterProps {
  readonly account: UpstreamAccount;
  readonly onRegistered: (account: UpstreamAccount, ticket: string) => void;
  readonly onBack: () => void;
}

/** A new account for an account of another provider: no password is chosen. */
export function UpstreamRegisterStep({ account, onRegistered, onBack }: RegisterProps) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const submit = (form: HTMLFormElement): void => {
    const nickname = fieldText(form, 'nickname');
    const referralCode = readReferralCode(fieldText(form, 'referral_code'));
    const found = checkNickname(t, nickname);
    if (Object.keys(found).length > 0) submission.refuse(found);
    else
      submission.submit(async () =>
        onRegistered(
          { ...account, name: nickname, referralCode },
          await registerUpstream({ ticket: account.ticket, nickname, referralCode }),
        ),
      );
  };
  return (
    <Step
      title={t('register.title')}
      lead={t('upstream.registerLead', { email: account.email })}
      submitLabel={t('register.submit')}
      submission={submission}
      onSubmit={submit}
      footer={<LinkButton onClick={onBack}>{t('consent.notYou')}</LinkButton>}
    >
      <NicknameInput
        defaultValue={[...account.name].slice(0, NICKNAME_LENGTH_MAX).join('')}
        autoFocus
      />
      <ReferralInput defaultValue={account.referralCode} />
    </Step>
  );
}
