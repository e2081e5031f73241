import { type ComponentProps, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 2000;

interface Props {
  readonly text: string;
  readonly label: string;
  readonly size?: ComponentProps<typeof Button>['size'];
}

/** Copies a text, and confirms it. */
export function CopyButton({ text, label, size = 'md' }: Props) {
  const { t } = useTranslation('shell');
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  const copy = async (): Promise<void> => {
    let next: 'copied' | 'notCopied' = 'copied';
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The clipboard is not allowed: the text beside the button can be selected.
      next = 'notCopied';
    }
    setOutcome(next);
    setTimeout(() => setOutcome(undefined), next === 'copied' ? SHOWN_MS : 2 * SHOWN_MS);
  };
  return (
    <Button
      variant="default"
      size={size}
      icon={outcome === 'copied' ? 'check' : 'copy'}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{outcome ? t(outcome) : label}</span>
    </Button>
  );
}
