/** Sign-in by a passkey alone: in the field of the address, and by a button. */
import { useEffect, useEffectEvent, useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { type SignedIn, signInByPasskey } from './api.ts';
import { leavePasskeyPrompt } from './passkey-prompt.ts';

/** A challenge is valid for ten minutes; a page may wait longer for its user. */
const RENEWAL_MS = 540_000;

async function canAutofill(): Promise<boolean> {
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

interface AutofillProps {
  readonly onSignedIn: (signedIn: SignedIn) => void;
  readonly onRefused: (error: unknown) => void;
}

/** Offers the passkeys of the browser in the field of the address (conditional mediation). */
function PasskeyAutofill({ onSignedIn, onRefused }: AutofillProps) {
  const succeed = useEffectEvent(onSignedIn);
  // Of a browser that offers none, or whose user chose another way, there is nothing to say.
  const fail = useEffectEvent((error: unknown) => {
    if (isProblem(error)) onRefused(error);
  });
  useEffect(() => {
    let isGone = false;
    const offer = async (): Promise<void> => {
      if (!(await canAutofill()) || isGone) return;
      await signInByPasskey({ isAutofill: true }).then(succeed, fail);
    };
    void offer();
    const renewal = setInterval(() => void offer(), RENEWAL_MS);
    return () => {
      isGone = true;
      clearInterval(renewal);
      leavePasskeyPrompt();
    };
  }, []);
  return null;
}

interface Props {
  readonly variant: 'filled' | 'default';
  readonly onSignedIn: (signedIn: SignedIn) => Promise<void>;
}

export function PasskeySignIn({ variant, onSignedIn }: Props) {
  const { t } = useTranslation('signIn');
  const textOf = useProblemText();
  const submission = useSubmission();
  /** A prompt of the button ends the offer of autofill, which then begins again. */
  const [prompts, setPrompts] = useState(0);
  const prompt = async (): Promise<void> => {
    try {
      await onSignedIn(await signInByPasskey());
    } catch (error) {
      setPrompts((count) => count + 1);
      if (isProblem(error)) throw error;
      submission.setMessage(t('passkey.declined'));
    }
  };
  return (
    <>
      <PasskeyAutofill
        key={prompts}
        onSignedIn={(signedIn) => submission.submit(() => onSignedIn(signedIn))}
        onRefused={(error) => submission.setMessage(textOf(error))}
      />
      {submission.message !== '' && <Failure>{submission.message}</Failure>}
      <Button
        variant={variant}
        size="lg"
        isWide
        isBusy={submission.isPending}
        onClick={() => submission.submit(prompt)}
      >
        {t('passkey.button')}
      </Button>
    </>
  );
}
