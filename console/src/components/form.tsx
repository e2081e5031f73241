/**
 * What forms of the console share: their fields, the place for a failure, one button that sends
 * them.
 */
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { type FieldTexts, NO_FIELDS } from '../i18n/problem-text.ts';
import { Button } from './button.tsx';
import { FieldProblems } from './field-frame.tsx';
import classes from './form.module.css';
import { useReadOnly } from './read-only.ts';
import unseen from './visually-hidden.module.css';

/** What went wrong, in words; it keeps its place while there is nothing. */
export function Failure({ children }: { readonly children: ReactNode }) {
  return (
    <div role="alert" className={classes.failure}>
      {children}
    </div>
  );
}

/** Words for who does not see the field that they are about. */
export function VisuallyHiddenAlert({ children }: { readonly children: string }) {
  return (
    <span role="alert" className={unseen.unseen}>
      {children}
    </span>
  );
}

/** Whether a form's action runs, and what came of it. */
export interface Outcome {
  readonly isPending: boolean;
  /** What went wrong, in words; empty when there is nothing. */
  readonly message: string;
  /** What is wrong with which field, by its name. */
  readonly fields?: FieldTexts;
}

interface Refusing {
  readonly ref: RefObject<HTMLFormElement | null>;
  /**
   * What is wrong with the field that has the focus already, which nothing else would tell a screen
   * reader.
   */
  readonly announcement: string;
  /** The user submits the form. */
  begin(): void;
}

/** After a refusal the focus goes to the first field that is wrong. */
export function useFocusFirstInvalid(isPending: boolean): Refusing {
  const ref = useRef<HTMLFormElement>(null);
  const isAsked = useRef(false);
  const [announcement, setAnnouncement] = useState('');
  const [, setTries] = useState(0);
  // Whenever something may have become of it: what is wrong is known at once, or once the service
  // has answered. The fields, which read it from the context, are rendered after the form.
  useLayoutEffect(() => {
    if (!isAsked.current || isPending) return;
    isAsked.current = false;
    queueMicrotask(() => {
      const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid]');
      if (wrong && wrong === document.activeElement) setAnnouncement(errorOf(wrong));
      else wrong?.focus();
    });
  });
  return {
    ref,
    announcement,
    begin() {
      isAsked.current = true;
      setAnnouncement('');
      setTries((tries) => tries + 1);
    },
  };
}

/** The last announcement about a field. */
function errorOf(field: HTMLElement): string {
  const id = field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
  return document.getElementById(id)?.textContent ?? '';
}

/** An error of the whole form: one that no field shows. */
function useWholeMessage(
  form: RefObject<HTMLFormElement | null>,
  message: string,
  fields: FieldTexts,
): string {
  const [unplaced, setUnplaced] = useState<FieldTexts>();
  useLayoutEffect(() => {
    const isPlaced = Object.keys(fields).some(
      (name) => form.current?.elements.namedItem(name) != null,
    );
    setUnplaced(isPlaced ? undefined : fields);
  }, [form, fields]);
  return fields === NO_FIELDS || fields === unplaced ? message : '';
}

interface FormFrameProps {
  readonly className?: string | undefined;
  readonly labelledBy?: string;
  readonly outcome: Outcome;
  /** What sends the form, and what does not. */
  readonly buttons: ReactNode;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children?: ReactNode;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Only spaces fill in nothing, but for a password. */
function isMissing({ type, value }: Field): boolean {
  return (type === 'password' ? value : value.trim()) === '';
}

/**
 * What is not filled in, or not as its field asks for, in the console's language: the browser's own
 * hints come in the browser's.
 */
function useRequiredFields(): {
  readonly missing: FieldTexts;
  look(form: HTMLFormElement): boolean;
} {
  const { t } = useTranslation('common');
  const [missing, setMissing] = useState(NO_FIELDS);
  const textOf = (field: Field): string =>
    t(
      isMissing(field)
        ? 'required'
        : field.type === 'email'
          ? 'signIn:emailInvalid'
          : 'fieldKind.pattern',
    );
  return {
    missing,
    look(form) {
      const wrong = [...form.querySelectorAll<Field>(':required')].filter(
        (field) => isMissing(field) || !field.validity.valid,
      );
      setMissing(
        wrong.length > 0
          ? Object.fromEntries(wrong.map((field) => [field.name, textOf(field)]))
          : NO_FIELDS,
      );
      return wrong.length > 0;
    },
  };
}

/**
 * What all forms are made of: their fields, the place for a failure, their buttons. Nothing is sent
 * while something is missing.
 */
export function FormFrame({
  className,
  labelledBy,
  outcome,
  buttons,
  onSubmit,
  children,
}: FormFrameProps) {
  const isReadOnly = useReadOnly();
  const { missing, look } = useRequiredFields();
  const { ref, announcement, begin } = useFocusFirstInvalid(outcome.isPending);
  const fields = missing === NO_FIELDS ? (outcome.fields ?? NO_FIELDS) : missing;
  const message = useWholeMessage(ref, missing === NO_FIELDS ? outcome.message : '', fields);
  return (
    <FieldProblems value={fields}>
      <form
        ref={ref}
        noValidate
        className={className}
        aria-labelledby={labelledBy}
        onSubmit={(event) => {
          event.preventDefault();
          begin();
          if (!isReadOnly && !look(event.currentTarget)) onSubmit(event.currentTarget);
        }}
      >
        {children}
        <Failure>{message}</Failure>
        <VisuallyHiddenAlert>{announcement}</VisuallyHiddenAlert>
        {!isReadOnly && buttons}
      </form>
    </FieldProblems>
  );
}

export interface FormProps {
  readonly submission: Outcome;
  readonly submitLabel: string;
  readonly variant?: 'filled' | 'default';
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ReactNode;
  /** Other ways, below the button. */
  readonly footer?: ReactNode;
}

/** A form with one button. */
export function Form({
  submission,
  submitLabel,
  variant = 'filled',
  onSubmit,
  children,
  footer,
}: FormProps) {
  return (
    <FormFrame
      className={classes.form}
      outcome={submission}
      onSubmit={onSubmit}
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
