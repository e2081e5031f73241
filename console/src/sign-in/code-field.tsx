import type { InputEvent } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { TextInput } from '../parts/field.tsx';
import classes from './sign-in.module.css';

const CODE = /^\d{6}$/;

/** The digits of a code, whatever was typed or pasted around them. */
export function readCode(text: string): string {
  return text.normalize('NFKC').replaceAll(/\D/g, '');
}

export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** A six-digit code: the keyboard of a phone offers it, and it is sent as soon as it is whole. */
export function CodeField({ error }: { readonly error?: string }) {
  const { t } = useTranslation('signIn');
  const handleInput = (event: InputEvent<HTMLInputElement>): void => {
    const input = event.currentTarget;
    const { inputType } = event.nativeEvent as globalThis.InputEvent;
    const digits = readCode(input.value);
    if (digits !== input.value) input.value = digits;
    // Typed, pasted or filled in: the sixth digit is the last, unless the form asks for more.
    if (isCode(digits) && inputType?.startsWith('insert') && input.form?.checkValidity()) input.form.requestSubmit();
  };
  return (
    <TextInput
      name="code"
      label={t('factor.code')}
      className={classes.code}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={12}
      required
      autoFocus
      onInput={handleInput}
      error={error}
    />
  );
}
