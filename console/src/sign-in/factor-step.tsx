import { useState } from 'react';
import { isLastTry, isProblem } from '../api/problem.ts';
import { LinkButton } from '../components/button.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import type { FactorMethod, FactorProof } from './api.ts';
import {
  FactorField,
  FactorInputError,
  firstWay,
  otherWays,
  useFactorForm,
  WAY_LEADS,
  WAY_NAMES,
  type Way,
} from './factor-form.tsx';
import type { PasskeyCredential } from './passkey-prompt.ts';
import { Step } from './step.tsx';

/** Where the proof goes: each flow has its own endpoints. */
export interface FactorEndpoints {
  readonly askPasskey: () => Promise<PasskeyCredential>;
  /** Absent where no code can be sent. */
  readonly sendEmailCode?: () => Promise<void>;
  readonly prove: (proof: FactorProof) => Promise<void>;
}

interface Props {
  /** Masked, for the eye. */
  readonly email: string;
  readonly methods: readonly FactorMethod[];
  readonly notice: string;
  readonly endpoints: FactorEndpoints;
  /** Where "back" leads; by default to another account. */
  readonly backLabel?: string;
  readonly onBack: () => void;
  /** The flow cannot continue: its ticket is used up or too old. */
  readonly onExpired: (error: unknown) => void;
}

interface OtherWaysProps {
  readonly methods: readonly FactorMethod[];
  readonly way: Way;
  readonly onChoose: (way: Way) => void;
}

function OtherWays({ methods, way, onChoose }: OtherWaysProps) {
  const { t } = useTranslation('signIn');
  return otherWays(methods, way).map((other) => (
    <LinkButton key={other} onClick={() => onChoose(other)}>
      {t(WAY_NAMES[other])}
    </LinkButton>
  ));
}

/** The second factor. */
export function FactorStep({ methods, notice, endpoints, onExpired, ...props }: Props) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission();
  const [way, setWay] = useState<Way>(() => firstWay(methods));
  const [status, setStatus] = useState(notice);
  const factor = useFactorForm(methods, endpoints.askPasskey);

  const prove = async (form: HTMLFormElement): Promise<void> => {
    setStatus('');
    try {
      const proof = await factor.read(way, form);
      if (proof) await endpoints.prove(proof);
    } catch (caught) {
      if (isProblem(caught, 'invalid_ticket', 'account_disabled') || isLastTry(caught))
        return onExpired(caught);
      const error = factor.explain(way, caught);
      form.querySelector('input')?.select();
      if (error instanceof FactorInputError) submission.setMessage(error.message);
      else throw error;
    }
  };

  const resend = (): void =>
    submission.submit(async () => {
      setStatus('');
      await endpoints.sendEmailCode?.();
      setStatus(t('factor.resent'));
    });

  const choose = (next: Way): void => {
    setWay(next);
    setStatus('');
    // The prompt of the method before may wait for minutes.
    submission.abandon();
    factor.clear();
    if (next === 'EMAIL') resend();
  };

  return (
    <Step
      key={way}
      title={t('factor.title')}
      lead={t(WAY_LEADS[way], { email: props.email })}
      notice={status}
      submitLabel={way === 'PASSKEY' ? t('factor.usePasskey') : t('factor.verify')}
      submission={submission}
      onSubmit={(form) => submission.submit(() => prove(form))}
      footer={
        <>
          {way === 'EMAIL' && endpoints.sendEmailCode && (
            <LinkButton onClick={resend}>{t('factor.resend')}</LinkButton>
          )}
          <OtherWays methods={methods} way={way} onChoose={choose} />
          <LinkButton onClick={props.onBack}>{props.backLabel ?? t('consent.notYou')}</LinkButton>
        </>
      }
    >
      <FactorField way={way} problem={factor.problem} />
    </Step>
  );
}
