/** What forms of the console share: their fields, the place for a failure, one button that sends them. */
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Button } from './button.tsx';
import classes from './form.module.css';

/** What went wrong, in words; it keeps its place while there is nothing. */
export function Failure({ children }: { readonly children: ReactNode }) {
  return (
    <div role="alert" className={classes.failure}>
      {children}
    </div>
  );
}

interface FormFrameProps {
  readonly className?: string | undefined;
  readonly labelledBy?: string;
  /** What went wrong, in words; empty when there is nothing. */
  readonly failure: string;
  /** What sends the form, and what does not. */
  readonly buttons: ReactNode;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children?: ReactNode;
}

/** What all forms are made of: their fields, the place for a failure, their buttons. */
export function FormFrame({ className, labelledBy, failure, buttons, onSubmit, children }: FormFrameProps) {
  return (
    <form
      noValidate
      className={className}
      aria-labelledby={labelledBy}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
      <Failure>{failure}</Failure>
      {buttons}
    </form>
  );
}

export interface FormProps {
  /** Whether its action runs, and what came of it. */
  readonly submission: { readonly isPending: boolean; readonly message: string };
  readonly submitLabel: string;
  readonly variant?: 'filled' | 'default';
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ReactNode;
  /** Other ways, below the button. */
  readonly footer?: ReactNode;
}

/** A form. What must be filled in is said in the console's language: the browser's own hints come in the browser's. */
export function Form({ submission, submitLabel, variant = 'filled', onSubmit, children, footer }: FormProps) {
  const { t } = useTranslation('common');
  const [problem, setProblem] = useState('');
  const submit = (form: HTMLFormElement): void => {
    const wrong = form.querySelector<HTMLInputElement>(':required:invalid');
    setProblem(wrong ? t(wrong.validity.valueMissing ? 'required' : wrong.type === 'email' ? 'signIn:emailInvalid' : 'fieldKind.pattern') : '');
    if (wrong) wrong.focus();
    else onSubmit(form);
  };
  return (
    <FormFrame
      className={classes.form}
      failure={problem || submission.message}
      onSubmit={submit}
      buttons={
        <>
          <Button type="submit" variant={variant} isBusy={submission.isPending}>
            {submitLabel}
          </Button>
          {footer}
        </>
      }
    >
      {children}
    </FormFrame>
  );
}
