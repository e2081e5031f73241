import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useBack } from '../hooks/use-close-on-back.ts';
import { useTranslation } from '../i18n/index.ts';
import { Button, IconButton } from './button.tsx';
import formClasses from './form.module.css';
import { Form, FormFrame, type FormProps, type Outcome } from './form.tsx';
import classes from './sheet.module.css';

/** Marks what has the focus when a sheet opens, instead of its first button. */
export const BEGINS_HERE = { 'data-begins-here': '' };

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Stays until something in it ends it: what it shows cannot be shown again. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog of the browser's own: it keeps the focus, closes on Escape, and comes from below on a
 * phone.
 */
export function Sheet({ title, onClose, isKept = false, children }: SheetProps) {
  const { t } = useTranslation('shell');
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-begins-here]')?.focus();
  }, []);
  useBack(() => ref.current?.close(), isKept);
  return (
    <dialog
      ref={ref}
      className={classes.sheet}
      aria-labelledby={titleId}
      onClose={(event) => {
        // React passes on the close of a sheet that stands over this one.
        if (event.target !== event.currentTarget) return;
        if (isKept) ref.current?.showModal();
        else onClose();
      }}
    >
      <div className={classes.head}>
        <h2 id={titleId}>{title}</h2>
        {!isKept && (
          <IconButton icon="close" label={t('close')} onClick={() => ref.current?.close()} />
        )}
      </div>
      {children}
    </dialog>
  );
}

/** A sheet whose content is one form. */
export function FormSheet({ title, onClose, ...form }: Omit<SheetProps, 'children'> & FormProps) {
  return (
    <Sheet title={title} onClose={onClose}>
      <Form {...form} />
    </Sheet>
  );
}

/** The two ways out of a sheet; what is asked for is last. */
export function SheetButtons({ children }: { readonly children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}

/** What is decided stays in sight while what it is about is scrolled. */
export function SheetFooter({ children }: { readonly children: ReactNode }) {
  return <div className={classes.footer}>{children}</div>;
}

interface ConfirmProps extends SheetProps {
  readonly confirmLabel: string;
  readonly isDanger?: boolean;
  readonly outcome: Outcome;
  readonly onConfirm: () => void;
}

/** Asks for confirmation, and names the consequences. */
export function Confirm({
  title,
  onClose,
  children,
  confirmLabel,
  isDanger = false,
  outcome,
  onConfirm,
}: ConfirmProps) {
  const { t } = useTranslation('shell');
  return (
    <Sheet title={title} onClose={onClose}>
      <FormFrame
        className={formClasses.form}
        outcome={outcome}
        onSubmit={onConfirm}
        buttons={
          <SheetButtons>
            <Button variant="default" onClick={onClose} disabled={outcome.isPending}>
              {t('cancel')}
            </Button>
            <Button type="submit" isDanger={isDanger} isBusy={outcome.isPending}>
              {confirmLabel}
            </Button>
          </SheetButtons>
        }
      >
        <div className={classes.body}>{children}</div>
      </FormFrame>
    </Sheet>
  );
}
