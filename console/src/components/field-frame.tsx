/** The frame of a field, which ties label, hint and failure to it for screen readers. */
import { createContext, type ReactNode, use, useId, useLayoutEffect, useRef } from 'react';
import { NO_FIELDS, type FieldTexts as Problems } from '../i18n/problem-text.ts';
import classes from './field.module.css';

/** What is wrong with the fields of a form, by their names. */
export const FieldProblems = createContext<Problems>(NO_FIELDS);

export interface FieldTexts {
  /** Absent where `aria-label` names the field. */
  readonly label?: string;
  readonly description?: ReactNode;
  /** What is wrong with the content, in words. */
  readonly error?: string | undefined;
}

interface Ties {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

interface FrameProps extends FieldTexts {
  readonly name: string | undefined;
  readonly className?: string | undefined;
  /** The field takes the focus when it appears: browsers do that once for each document only. */
  readonly autoFocus?: boolean | undefined;
  readonly children: (ties: Ties) => ReactNode;
}

/** What stands around a field: its label and hint above it, what is wrong below it. */
export function FieldFrame({
  name = '',
  label,
  description,
  error: ownError,
  className,
  autoFocus = false,
  children,
}: FrameProps) {
  const id = useId();
  const takesFocus = useRef(autoFocus);
  useLayoutEffect(() => {
    if (takesFocus.current) document.getElementById(id)?.focus();
    takesFocus.current = false;
  }, [id]);
  const problems = use(FieldProblems);
  const error = ownError ?? problems[name];
  const isWrong = error !== undefined && error !== '';
  const described = [
    ...(description === undefined ? [] : [`${id}-hint`]),
    ...(isWrong ? [`${id}-error`] : []),
  ].join(' ');
  return (
    <div className={className === undefined ? classes.field : `${classes.field} ${className}`}>
      {label !== undefined && (
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
      )}
      {description !== undefined && (
        <p id={`${id}-hint`} className={classes.description}>
          {description}
        </p>
      )}
      <div className={classes.box}>
        {children({
          id,
          ...(isWrong && { 'aria-invalid': true }),
          ...(described !== '' && { 'aria-describedby': described }),
        })}
      </div>
      {isWrong && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
