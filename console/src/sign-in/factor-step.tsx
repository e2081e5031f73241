import { Anchor, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../api/problem.ts';
import { askPasskey, type FactorProof, type LoginResult, proveFactor, type SignedIn, sendEmailCode } from './api.ts';
import { CodeField, isCode, readCode } from './code-field.tsx';
import { fieldText, Step, useSubmission } from './step.tsx';

type Way = 'EMAIL' | 'AUTHENTICATOR' | 'PASSKEY' | 'RECOVERY';

interface Props {
  readonly email: string;
  readonly login: LoginResult;
  readonly notice: string;
  readonly onSignedIn: (signedIn: SignedIn) => Promise<void>;
  readonly onExpired: (error: unknown) => void;
}

/** Other ways than the present one. A lost authenticator or passkey is what recovery codes are for. */
function otherWays(methods: LoginResult['two_factor_methods'], way: Way): Way[] {
  const hasStrong = methods.includes('AUTHENTICATOR') || methods.includes('PASSKEY');
  const ways: Way[] = [...methods, ...(hasStrong ? (['RECOVERY'] as const) : [])];
  return ways.filter((entry) => entry !== way);
}

function firstWay(methods: LoginResult['two_factor_methods']): Way {
  if (methods.includes('PASSKEY') && 'credentials' in navigator) return 'PASSKEY';
  return methods.includes('AUTHENTICATOR') ? 'AUTHENTICATOR' : 'EMAIL';
}

const LEADS = { EMAIL: 'factor.emailLead', AUTHENTICATOR: 'factor.authenticatorLead', PASSKEY: 'factor.passkeyLead', RECOVERY: 'factor.recoveryLead' } as const;
const NAMES = { EMAIL: 'factor.useEmail', AUTHENTICATOR: 'factor.useAuthenticator', PASSKEY: 'factor.usePasskey', RECOVERY: 'factor.useRecovery' } as const;

/** What the form proves, or undefined when the code cannot be right. */
async function makeProof(way: Way, form: HTMLFormElement, ask: () => Promise<unknown>): Promise<FactorProof | undefined> {
  if (way === 'PASSKEY') return { method: 'PASSKEY', passkey_credential: await ask() };
  if (way === 'RECOVERY') {
    const recovery_code = fieldText(form, 'recovery_code');
    return recovery_code === '' ? undefined : { method: 'AUTHENTICATOR', recovery_code };
  }
  const code = readCode(fieldText(form, 'code'));
  if (!isCode(code)) return undefined;
  return way === 'EMAIL' ? { method: 'EMAIL', validate_code: code } : { method: 'AUTHENTICATOR', authenticator_code: code };
}

/** The second factor. */
export function FactorStep({ email, login, notice, onSignedIn, onExpired }: Props) {
  const { t } = useTranslation(['signIn', 'common']);
  const submission = useSubmission();
  const [way, setWay] = useState<Way>(() => firstWay(login.two_factor_methods));
  const [status, setStatus] = useState(notice);
  const [codeProblem, setCodeProblem] = useState<string>();

  const submit = (form: HTMLFormElement): void =>
    submission.submit(async () => {
      setStatus('');
      const proof = await makeProof(way, form, () => askPasskey(email, login.login_ticket)).catch((error: unknown) => {
        if (isProblem(error)) throw error;
        submission.setMessage(t('factor.passkeyFailed'));
        return null;
      });
      if (proof === null) return;
      setCodeProblem(proof === undefined ? t(way === 'RECOVERY' ? 'common:required' : 'factor.codeInvalid') : undefined);
      if (proof === undefined) return;
      try {
        await onSignedIn(await proveFactor(email, login.login_ticket, proof));
      } catch (error) {
        if (isProblem(error, 'invalid_ticket', 'account_disabled')) return onExpired(error);
        form.querySelector('input')?.select();
        throw error;
      }
    });

  const resend = (): void =>
    submission.submit(async () => {
      await sendEmailCode(email, login.login_ticket);
      setStatus(t('factor.resent'));
    });

  const choose = (next: Way): void => {
    setWay(next);
    setStatus('');
    setCodeProblem(undefined);
    submission.setMessage('');
    if (next === 'EMAIL') resend();
  };

  return (
    <Step
      key={way}
      title={t('factor.title')}
      lead={t(LEADS[way], { email: login.email })}
      notice={status}
      submitLabel={way === 'PASSKEY' ? t('factor.usePasskey') : t('factor.verify')}
      submission={submission}
      onSubmit={submit}
      footer={
        <>
          {way === 'EMAIL' && (
            <Anchor component="button" type="button" onClick={resend}>
              {t('factor.resend')}
            </Anchor>
          )}
          {otherWays(login.two_factor_methods, way).map((other) => (
            <Anchor key={other} component="button" type="button" onClick={() => choose(other)}>
              {t(NAMES[other])}
            </Anchor>
          ))}
        </>
      }
    >
      {(way === 'EMAIL' || way === 'AUTHENTICATOR') && <CodeField {...(codeProblem !== undefined && { error: codeProblem })} />}
      {way === 'RECOVERY' && (
        <TextInput
          name="recovery_code"
          label={t('factor.recoveryCode')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
          error={codeProblem}
        />
      )}
    </Step>
  );
}
