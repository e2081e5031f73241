import type { ComponentProps } from 'react';
import classes from './text.module.css';

interface TextProps extends ComponentProps<'p'> {
  readonly isSmall?: boolean;
  readonly isDimmed?: boolean;
  readonly isStrong?: boolean;
  readonly isFailure?: boolean;
}

/** A paragraph. */
export function Text({
  isSmall = false,
  isDimmed = false,
  isStrong = false,
  isFailure = false,
  className,
  ...paragraph
}: TextProps) {
  const names = [
    classes.text,
    isSmall && classes.small,
    isDimmed && classes.dimmed,
    isStrong && classes.strong,
    isFailure && classes.failure,
    className,
  ];
  return <p {...paragraph} className={names.filter(Boolean).join(' ')} />;
}
