import { useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { type Submission, useSubmission } from '../hooks/use-submission.ts';

interface Operation extends Submission {
  /** Runs a change, continues, and reads everything of these pages anew. */
  run(change: () => Promise<unknown>, onDone?: () => void): void;
}

/** A hidden window has no frames. */
const FRAME_AT_MOST_MS = 100;

function waitForFrame(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => void setTimeout(resolve);
    requestAnimationFrame(end);
    setTimeout(end, FRAME_AT_MOST_MS);
  });
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
        // more. What left the screen ends its queries after the next frame.
        if (onDone) {
          flushSync(onDone);
          await waitForFrame();
        }
        await client.invalidateQueries({ queryKey: ['operator'] });
      }),
  };
}
