import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { parseDay } from '../lib/time-text.ts';
import { TextInput } from './field.tsx';

interface Props {
  readonly label: string;
  /** A day as `yyyy-MM-dd`; empty when there is none. */
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly notBefore?: string | undefined;
  readonly notAfter?: string | undefined;
}

/** Long enough to be whole, so that nothing more needs to be pressed. */
const WHOLE = /^\d{8}$|^\d{4}-\d{2}-\d{2}$/;

/** A day, written the same way in every language: the browser's own field speaks the browser's. */
export function DateInput({ label, value, onChange, notBefore = '', notAfter = '' }: Props) {
  const { t } = useTranslation('shell');
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<'invalid' | 'order'>();
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(undefined);
    setProblem(undefined);
  }
  const take = (text: string): void => {
    const day = text.trim() === '' ? '' : parseDay(text);
    const isOutside =
      day !== undefined &&
      day !== '' &&
      ((notBefore !== '' && day < notBefore) || (notAfter !== '' && day > notAfter));
    setProblem(day === undefined ? 'invalid' : isOutside ? 'order' : undefined);
    if (day === undefined || isOutside) return;
    // What was taken stands until the owner has it: it may need a moment.
    setTyped(day === value ? undefined : day);
    if (day !== value) onChange(day);
  };
  const type = (text: string): void => {
    setTyped(text);
    setProblem(undefined);
    if (text === '' || WHOLE.test(text)) take(text);
  };
  return (
    <TextInput
      label={label}
      value={typed ?? value}
      placeholder={t('date.form')}
      inputMode="numeric"
      maxLength={10}
      autoComplete="off"
      error={problem && t(`date.${problem}`)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => typed !== undefined && take(typed)}
      onKeyDown={(event) => event.key === 'Enter' && typed !== undefined && take(typed)}
    />
  );
}
