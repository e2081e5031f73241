/**
 * Changes of the account's safety want password and factor anew: asked for only when the service
 * says so.
 */

import { unwrap } from '@edge-account/sdk';
import { useRef, useState } from 'react';
import { isLastTry, isProblem } from '../api/problem.ts';
import { LinkButton } from '../components/button.tsx';
import { PasswordInput } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { hashPassword } from '../lib/password.ts';
import { api } from '../session/session-api.ts';
import type { LoginResult } from '../sign-in/api.ts';
import {
  FactorField,
  FactorInputError,
  firstWay,
  otherWays,
  useFactorForm,
  WAY_LEADS,
  WAY_NAMES,
  type Way,
} from '../sign-in/factor-form.tsx';
import { rememberPasskey } from '../sign-in/passkey-hint.ts';
import { useHasPassword } from './queries.ts';
import { startPasskeyProof } from './start-passkey-proof.ts';

/** Thrown when the person closes the question. */
export class ProofDeclined extends Error {}

export interface Proof {
  /** Runs an action; where it wants a fresh proof, asks for one and runs it again. */
  readonly run: <T>(action: () => Promise<T>) => Promise<T>;
  readonly sheet: React.ReactNode;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

export function useProof(): Proof {
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<Waiting>(undefined);
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.current = { resolve, reject };
      setAsking(true);
    });
  const close = (isProven: boolean): void => {
    setAsking(false);
    if (isProven) waiting.current?.resolve();
    else waiting.current?.reject(new ProofDeclined());
    waiting.current = undefined;
  };
  return {
    run: async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!isProblem(error, 'reauthentication_required')) throw error;
        await ask();
        return action();
      }
    },
    sheet: isAsking && <ProofSheet onDone={() => close(true)} onClose={() => close(false)} />,
  };
}

function ProofSheet({
  onDone,
  onClose,
}: {
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('security');
  const hasPassword = useHasPassword();
  const [login, setLogin] = useState<LoginResult>();
  const [failure, setFailure] = useState('');
  const isDone = useRef(false);
  const startAnew = (): void => {
    setFailure(t('proof.expired'));
    setLogin(undefined);
  };
  const done = (): void => {
    isDone.current = true;
    onDone();
  };
  return (
    <Sheet title={t('proof.title')} onClose={() => isDone.current || onClose()}>
      <Text isDimmed>{t(hasPassword ? 'proof.lead' : 'proof.noPassword')}</Text>
      {!hasPassword ? null : login ? (
        <ProofFactor login={login} onDone={done} onExpired={startAnew} />
      ) : (
        <ProofPassword failure={failure} onProven={setLogin} />
      )}
    </Sheet>
  );
}

function ProofPassword({
  failure,
  onProven,
}: {
  readonly failure: string;
  readonly onProven: (login: LoginResult) => void;
}) {
  const { t } = useTranslation('security');
  const submission = useSubmission(failure);
  const submit = (form: HTMLFormElement): void => {
    const password = String(new FormData(form).get('login_password') ?? '');
    submission.submit(async () => {
      try {
        onProven(
          await unwrap(
            api.POST('/me/reauthenticate', { body: { login_password: hashPassword(password) } }),
          ),
        );
      } catch (error) {
        if (!isProblem(error, 'invalid_credentials')) throw error;
        submission.refuse({ login_password: t('wrongPassword') });
      }
    });
  };
  return (
    <Form submission={submission} submitLabel={t('proof.continue')} onSubmit={submit}>
      <PasswordInput
        name="login_password"
        label={t('signIn:password')}
        autoComplete="current-password"
        required
        autoFocus
      />
    </Form>
  );
}

interface ProofFactorProps {
  readonly login: LoginResult;
  readonly onDone: () => void;
  /** The ticket is used up or too old. */
  readonly onExpired: () => void;
}

function ProofFactor({ login, onDone, onExpired }: ProofFactorProps) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [way, setWay] = useState<Way>(() => firstWay(login.two_factor_methods));
  const ticket = { login_ticket: login.login_ticket };
  const factor = useFactorForm(login.two_factor_methods, () =>
    startPasskeyProof(login.login_ticket),
  );
  const prove = async (element: HTMLFormElement): Promise<void> => {
    try {
      const proof = await factor.read(way, element);
      if (!proof) return;
      await unwrap(api.POST('/me/reauthenticate/2fa', { body: { ...ticket, ...proof } }));
      if (proof.method === 'PASSKEY') rememberPasskey();
      onDone();
    } catch (caught) {
      const error = factor.explain(way, caught);
      if (isProblem(caught, 'invalid_ticket') || isLastTry(caught)) onExpired();
      else if (error instanceof FactorInputError) submission.setMessage(error.message);
      else throw error;
    }
  };
  const sendCode = (): void =>
    submission.submit(async () => {
      await unwrap(api.POST('/me/reauthenticate/email-code', { body: ticket }));
    });
  const choose = (next: Way): void => {
    setWay(next);
    submission.abandon();
    factor.clear();
    if (next === 'EMAIL') sendCode();
  };
  return (
    <Form
      key={way}
      submission={submission}
      submitLabel={way === 'PASSKEY' ? t('factor.usePasskey') : t('factor.verify')}
      onSubmit={(form) => submission.submit(() => prove(form))}
      footer={
        <>
          {way === 'EMAIL' && <LinkButton onClick={sendCode}>{t('factor.resend')}</LinkButton>}
          {otherWays(login.two_factor_methods, way).map((other) => (
            <LinkButton key={other} onClick={() => choose(other)}>
              {t(WAY_NAMES[other])}
            </LinkButton>
          ))}
        </>
      }
    >
      <Text isSmall>{t(WAY_LEADS[way], { email: login.email })}</Text>
      <FactorField way={way} problem={factor.problem} />
    </Form>
  );
}
