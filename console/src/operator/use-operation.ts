import { useQueryClient } from '@tanstack/react-query';
import { type Submission, useSubmission } from '../parts/submission.ts';

interface Operation extends Submission {
  /** Runs a change, reads everything of these pages anew, then goes on. */
  run(change: () => Promise<unknown>, onDone?: () => void): void;
}

/** A change that an operator makes. */
export function useOperation(): Operation {
  const client = useQueryClient();
  const submission = useSubmission();
  return {
    ...submission,
    run: (change, onDone) =>
      submission.submit(async () => {
        await change();
        await client.invalidateQueries({ queryKey: ['operator'] });
        onDone?.();
      }),
  };
}
