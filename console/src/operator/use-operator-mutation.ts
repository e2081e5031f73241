import { useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { type Submission, useSubmission } from '../hooks/use-submission.ts';

interface Operation extends Submission {
  /** Runs a change, continues, and reads everything of these pages anew. */
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
        // Off the screen before the rest is read anew: of what is deleted, nothing is asked for any
        // more.
        if (onDone) flushSync(onDone);
        await client.invalidateQueries({ queryKey: ['operator'] });
      }),
  };
}
