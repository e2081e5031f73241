import { type InputEvent, useState } from 'react';
import { TextInput } from '../components/field.tsx';
import { VisuallyHiddenAlert } from '../components/form.tsx';
import { useTranslation } from '../i18n/index.ts';
import { isCode, isNoCode, readCode } from '../lib/parse-code.ts';
import classes from './sign-in.module.css';

interface Props {
  readonly name?: string;
  readonly label?: string;
  readonly error?: string;
  readonly autoFocus?: boolean;
}

/**
 * A six-digit code: the keyboard of a phone offers it, and it is sent as soon as it is whole. Of
 * what is pasted, the code is kept; what none can be read from stays, with a word about it.
 */
export function CodeField({ name = 'code', label, error, autoFocus = true }: Props) {
  const { t } = useTranslation('signIn');
  const [isUnreadable, setUnreadable] = useState(false);
  const handleInput = (event: InputEvent<HTMLInputElement>): void => {
    const input = event.currentTarget;
    const { inputType } = event.nativeEvent as globalThis.InputEvent;
    const digits = readCode(input.value);
    if (digits !== input.value) input.value = digits;
    setUnreadable(isNoCode(digits));
    // Typed, pasted or filled in: the sixth digit is the last, unless the form asks for more.
    if (isCode(digits) && inputType?.startsWith('insert') && input.form?.checkValidity())
      input.form.requestSubmit();
  };
  return (
    <>
      <TextInput
        name={name}
        label={label ?? t('factor.code')}
        className={classes.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        autoFocus={autoFocus}
        onInput={handleInput}
        error={isUnreadable ? t('factor.codeInvalid') : error}
      />
      <VisuallyHiddenAlert>{isUnreadable ? t('factor.codeInvalid') : ''}</VisuallyHiddenAlert>
    </>
  );
}
