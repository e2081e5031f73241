import { useQueryClient } from '@tanstack/react-query';
import { isProblem } from '../api/problem.ts';
import type { Outcome } from '../components/form.tsx';
import { showToast } from '../components/toaster.tsx';
import { type Submission, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { FactorInputError } from '../sign-in/factor-form.tsx';
import { type Proof, ProofDeclined } from './reauthentication.tsx';

export interface Change extends Outcome, Pick<Submission, 'refuse'> {
  /**
   * Runs a change of the account's safety, reads the page anew, and continues with the result.
   */
  readonly run: <T>(action: () => Promise<T>, onDone?: (result: T) => void) => void;
}

export function useChange(proof: Proof): Change {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const submission = useSubmission();
  const change = async <T>(
    action: () => Promise<T>,
    onDone: (result: T) => void,
  ): Promise<void> => {
    try {
      const result = await proof.run(action);
      await client.invalidateQueries({ queryKey: ['security'] });
      onDone(result);
    } catch (error) {
      // No address is asked for here.
      if (isProblem(error, 'invalid_credentials'))
        submission.refuse({ login_password: t('wrongPassword') });
      else if (error instanceof FactorInputError) submission.setMessage(error.message);
      else if (!(error instanceof ProofDeclined)) throw error;
    }
  };
  return {
    isPending: submission.isPending,
    message: submission.message,
    fields: submission.fields,
    refuse: submission.refuse,
    run: (action, onDone = () => showToast(t('saved'))) =>
      submission.submit(() => change(action, onDone)),
  };
}
