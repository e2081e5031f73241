/** What all steps of the sign-in share: the frame of a form, its failure, its button. */

import { type ReactNode, useId } from 'react';
import { Button } from '../components/button.tsx';
import { FormFrame } from '../components/form.tsx';
import { Heading } from '../components/heading.tsx';
import { Text } from '../components/text.tsx';
import type { Submission } from '../hooks/use-submission.ts';
import { ChallengePlace } from './challenge/challenge-place.tsx';
import classes from './sign-in.module.css';

interface StepProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly notice?: string;
  /** Before the form. */
  readonly before?: ReactNode;
  readonly submitLabel: string;
  readonly submitVariant?: 'filled' | 'default';
  readonly submission: Submission;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children?: ReactNode;
  /** Between the form and the footer. */
  readonly others?: ReactNode;
  readonly footer?: ReactNode;
}

/** One step: title, fields, the place for a failure, one button, and other ways below. */
export function Step({
  title,
  lead,
  notice,
  before,
  submitLabel,
  submitVariant = 'filled',
  submission,
  onSubmit,
  children,
  others,
  footer,
}: StepProps) {
  const titleId = useId();
  return (
    <>
      <Heading id={titleId} className={classes.title}>
        {title}
      </Heading>
      {lead !== undefined && (
        <Text isDimmed className={classes.lead}>
          {lead}
        </Text>
      )}
      {notice !== undefined && notice !== '' && (
        <div role="status" className={classes.notice}>
          {notice}
        </div>
      )}
      {before}
      <FormFrame
        className={classes.form}
        labelledBy={titleId}
        outcome={submission}
        onSubmit={onSubmit}
        buttons={
          <Button
            type="submit"
            isWide
            size="lg"
            variant={submitVariant}
            isBusy={submission.isPending}
          >
            {submitLabel}
          </Button>
        }
      >
        {children}
      </FormFrame>
      <ChallengePlace />
      {others}
      {footer !== undefined && <div className={classes.footer}>{footer}</div>}
    </>
  );
}
