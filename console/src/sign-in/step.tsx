/** What all steps of the sign-in share: the frame of a form, its failure, its button. */
import { Button, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useProblemText } from '../i18n/problem-text.ts';
import classes from './sign-in.module.css';

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

interface StepProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly notice?: string;
  readonly submitLabel: string;
  readonly submission: Submission;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
}

/** One step: title, fields, the place for a failure, one button, and other ways below. */
export function Step({ title, lead, notice, submitLabel, submission, onSubmit, children, footer }: StepProps) {
  const titleId = useId();
  const handle = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return (
    <>
      <Title order={1} id={titleId} className={classes.title}>
        {title}
      </Title>
      {lead !== undefined && (
        <Text c="dimmed" className={classes.lead}>
          {lead}
        </Text>
      )}
      {notice !== undefined && notice !== '' && (
        <div role="status" className={classes.notice}>
          {notice}
        </div>
      )}
      <form onSubmit={handle} aria-labelledby={titleId} noValidate className={classes.form}>
        {children}
        <div role="alert" className={classes.failure}>
          {submission.message}
        </div>
        <Button type="submit" fullWidth size="lg" loading={submission.isPending}>
          {submitLabel}
        </Button>
      </form>
      {footer !== undefined && <div className={classes.footer}>{footer}</div>}
    </>
  );
}
