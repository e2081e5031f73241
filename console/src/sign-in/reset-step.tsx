import { useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { LinkButton } from '../components/button.tsx';
import { EmailInput } from '../components/field.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { askResetPasskey, completeReset, type FactorMethod, requestReset } from './api.ts';
import { FactorStep } from './factor-step.tsx';
import { NewPasswordStep } from './new-password-step.tsx';
import { Step } from './step.tsx';

interface Props {
  readonly email: string;
  readonly onDone: (email: string) => void;
  readonly onBack: () => void;
}

interface Requested {
  readonly email: string;
  readonly ticket: string;
  /** Set once the mailbox is proven: the factors of which one is needed as well. */
  readonly proven?: readonly FactorMethod[];
}

type State =
  | { readonly step: 'email'; readonly email: string; readonly failure: string }
  | ({ readonly step: 'new' } & Requested)
  | ({
      readonly step: 'factor';
      readonly password: string;
      readonly methods: readonly FactorMethod[];
    } & Requested);

/**
 * A forgotten password: a code by email, a new password, and the stronger factor of those who have
 * one.
 */
export function ResetStep({ email: initial, onDone, onBack }: Props) {
  const { t } = useTranslation('signIn');
  const textOf = useProblemText();
  const [state, setState] = useState<State>({ step: 'email', email: initial, failure: '' });
  const { email } = state;
  const askEmail = (failure: string): void => setState({ step: 'email', email, failure });
  switch (state.step) {
    case 'email':
      return (
        <AskEmail
          email={email}
          failure={state.failure}
          onRequested={(typed, ticket) => setState({ step: 'new', email: typed, ticket })}
          onBack={onBack}
        />
      );
    case 'new':
      return (
        <NewPasswordStep
          email={email}
          ticket={state.ticket}
          proven={state.proven}
          onProven={(proven) => setState({ ...state, proven })}
          onNewTicket={(ticket) => setState({ step: 'new', email, ticket })}
          onDone={() => onDone(email)}
          onFactor={(password, methods) =>
            setState({ ...state, step: 'factor', password, methods, proven: methods })
          }
          onExpired={() => askEmail(t('reset.expired'))}
          onBack={() => askEmail('')}
        />
      );
    case 'factor': {
      const { ticket, password } = state;
      return (
        <FactorStep
          email={email}
          methods={state.methods}
          notice=""
          endpoints={{
            askPasskey: () => askResetPasskey(email, ticket),
            prove: async (proof) => {
              await completeReset(email, ticket, password, proof);
              onDone(email);
            },
          }}
          backLabel={t('reset.otherPassword')}
          onBack={() => setState({ step: 'new', email, ticket, proven: state.methods })}
          onExpired={(error) =>
            askEmail(isProblem(error, 'invalid_ticket') ? t('reset.expired') : textOf(error))
          }
        />
      );
    }
  }
}

interface AskEmailProps {
  readonly email: string;
  readonly failure: string;
  readonly onRequested: (email: string, ticket: string) => void;
  readonly onBack: () => void;
}

function AskEmail({ email, failure, onRequested, onBack }: AskEmailProps) {
  const { t } = useTranslation('signIn');
  const submission = useSubmission(failure);
  const submit = (form: HTMLFormElement): void => {
    const typed = fieldText(form, 'email');
    submission.submit(async () => onRequested(typed, await requestReset(typed)));
  };
  return (
    <Step
      title={t('reset.title')}
      lead={t('reset.lead')}
      submitLabel={t('reset.submit')}
      submission={submission}
      onSubmit={submit}
      footer={<LinkButton onClick={onBack}>{t('common:back')}</LinkButton>}
    >
      <EmailInput label={t('email')} autoComplete="username" defaultValue={email} autoFocus />
    </Step>
  );
}
