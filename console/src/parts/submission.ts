/** A form's action: run once at a time, its failure kept in words. */
import { useState } from 'react';
import { useProblemText } from '../i18n/problem-text.ts';

export interface Submission {
  readonly isPending: boolean;
  /** Failure in words; empty when there is none. */
  readonly message: string;
  submit(action: () => Promise<void>): void;
  setMessage(message: string): void;
}

/** Runs a form's action once at a time, and keeps what went wrong. */
export function useSubmission(initialMessage = ''): Submission {
  const [isPending, setPending] = useState(false);
  const [message, setMessage] = useState(initialMessage);
  const textOf = useProblemText();
  const run = async (action: () => Promise<void>): Promise<void> => {
    setPending(true);
    setMessage('');
    try {
      await action();
    } catch (error) {
      setMessage(textOf(error));
    } finally {
      setPending(false);
    }
  };
  return { isPending, message, setMessage, submit: (action) => void (isPending || run(action)) };
}

/** The text of a form's field, without the spaces around it. */
export function fieldText(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim();
}
