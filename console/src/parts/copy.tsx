import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2000;

/** Copies a text, and says that it did. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation('shell');
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button variant="default" leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={18} />} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? t('copied') : label}</span>
    </Button>
  );
}
