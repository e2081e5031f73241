import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { useSubmission } from '../parts/submission.ts';
import { showToast } from '../parts/toaster.tsx';
import { type Proof, ProofDeclined } from './proof.tsx';

export interface Change {
  readonly isPending: boolean;
  readonly message: string;
  setMessage(message: string): void;
  /** Runs a change of the account's safety, then reads the page anew. */
  readonly run: (action: () => Promise<unknown>, onDone?: () => void) => void;
}

export function useChange(proof: Proof): Change {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const submission = useSubmission();
  const change = async (action: () => Promise<unknown>, onDone?: () => void): Promise<void> => {
    try {
      await proof.run(action);
    } catch (error) {
      if (error instanceof ProofDeclined) return;
      throw error;
    }
    await client.invalidateQueries({ queryKey: ['security'] });
    if (onDone) onDone();
    else showToast(t('saved'));
  };
  return {
    isPending: submission.isPending,
    message: submission.message,
    setMessage: submission.setMessage,
    run: (action, onDone) => submission.submit(() => change(action, onDone)),
  };
}
