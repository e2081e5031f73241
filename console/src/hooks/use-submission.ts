/** A form's action: run once at a time, its failure kept in words. */
import { useRef, useState } from 'react';
import { type FieldTexts, NO_FIELDS, useRefusal } from '../i18n/problem-text.ts';

export interface Submission {
  readonly isPending: boolean;
  /** Failure in words; empty when there is none. */
  readonly message: string;
  /** What is wrong with which field, by its name. */
  readonly fields: FieldTexts;
  submit(action: () => Promise<void>): void;
  /** Waits no longer for the pending request: its outcome is not shown. */
  abandon(): void;
  setMessage(message: string): void;
  /** Shows errors beside their fields; where the form has no such field, the first error. */
  refuse(fields: FieldTexts): void;
}

/** Runs a form's action once at a time, and keeps what went wrong. */
export function useSubmission(initialMessage = ''): Submission {
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState({ message: initialMessage, fields: NO_FIELDS });
  const refusalOf = useRefusal();
  const setMessage = (message: string): void => setRefusal({ message, fields: NO_FIELDS });
  /** The run that is waited for. */
  const current = useRef<object>(undefined);
  const run = async (action: () => Promise<void>): Promise<void> => {
    const own = {};
    current.current = own;
    setPending(true);
    setMessage('');
    try {
      await action();
    } catch (error) {
      if (current.current === own) setRefusal(refusalOf(error));
    } finally {
      if (current.current === own) {
        current.current = undefined;
        setPending(false);
      }
    }
  };
  return {
    isPending,
    ...refusal,
    setMessage,
    refuse: (fields) => setRefusal({ message: Object.values(fields)[0] ?? '', fields }),
    submit: (action) => void (current.current !== undefined || run(action)),
    abandon: () => {
      current.current = undefined;
      setPending(false);
      setMessage('');
    },
  };
}

/** The text of a form's field, without the spaces around it. */
export function fieldText(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim();
}
