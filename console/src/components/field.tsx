/** Fields with their label, hint and failure. */
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { IconButton } from './button.tsx';
import classes from './field.module.css';
import { FieldFrame, type FieldTexts } from './field-frame.tsx';
import { Icon, type IconName } from './icon.tsx';
import { useReadOnly } from './read-only.ts';
import { SelectArrow } from './select-arrow.tsx';

interface TextInputProps extends FieldTexts, Omit<ComponentProps<'input'>, 'size'> {
  readonly size?: 'xs' | 'md';
  readonly icon?: IconName;
  /** A button within the field, at its end. */
  readonly trailing?: ReactNode;
}

export function TextInput({
  label,
  description,
  error,
  className,
  size = 'md',
  icon,
  trailing,
  autoFocus,
  ...input
}: TextInputProps) {
  const isReadOnly = useReadOnly();
  return (
    <FieldFrame
      name={input.name}
      {...(label !== undefined && { label })}
      description={description}
      error={error}
      className={className}
      autoFocus={autoFocus}
    >
      {(ties) => (
        <>
          {icon !== undefined && (
            <span className={classes.leading}>
              <Icon name={icon} size={18} />
            </span>
          )}
          <input
            type="text"
            {...input}
            {...(isReadOnly && { readOnly: true })}
            {...ties}
            className={classes.input}
            data-size={size}
          />
          {trailing !== undefined && !isReadOnly && (
            <span className={classes.trailing}>{trailing}</span>
          )}
        </>
      )}
    </FieldFrame>
  );
}

/** An email address; `FormFrame` reports one that is missing or has no valid form. */
export function EmailInput(props: TextInputProps) {
  return (
    <TextInput
      name="email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}

interface PasswordInputProps extends FieldTexts, Omit<ComponentProps<'input'>, 'size' | 'type'> {}

/** A password, which its owner may look at. */
export function PasswordInput({
  label,
  description,
  error,
  className,
  autoFocus,
  ...input
}: PasswordInputProps) {
  const { t } = useTranslation('signIn');
  const [isShown, setShown] = useState(false);
  const isReadOnly = useReadOnly();
  return (
    <FieldFrame
      name={input.name}
      {...(label !== undefined && { label })}
      description={description}
      error={error}
      className={className}
      autoFocus={autoFocus}
    >
      {(ties) => (
        <>
          <input
            {...input}
            {...(isReadOnly && { readOnly: true })}
            {...ties}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classes.input}
          />
          {!isReadOnly && (
            <IconButton
              icon={isShown ? 'eyeOff' : 'eye'}
              label={t('showPassword')}
              className={classes.eye}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            />
          )}
        </>
      )}
    </FieldFrame>
  );
}

interface SelectProps extends FieldTexts, Omit<ComponentProps<'select'>, 'size'> {
  readonly options: readonly (string | { readonly value: string; readonly label: string })[];
}

/** The browser's own choice from a list: on a phone, the phone's. */
export function Select({ label, description, error, className, options, ...select }: SelectProps) {
  const isReadOnly = useReadOnly();
  return (
    <FieldFrame
      name={select.name}
      {...(label !== undefined && { label })}
      description={description}
      error={error}
      className={className}
    >
      {(ties) => (
        <>
          <select
            {...select}
            {...(isReadOnly && { disabled: true })}
            {...ties}
            className={classes.input}
          >
            {options.map((option) => {
              const { value, label: text } =
                typeof option === 'string' ? { value: option, label: option } : option;
              return (
                <option key={value} value={value}>
                  {text}
                </option>
              );
            })}
          </select>
          <SelectArrow />
        </>
      )}
    </FieldFrame>
  );
}

interface TextareaProps extends FieldTexts, ComponentProps<'textarea'> {}

export function Textarea({
  label,
  description,
  error,
  className,
  autoFocus,
  ...textarea
}: TextareaProps) {
  const isReadOnly = useReadOnly();
  return (
    <FieldFrame
      name={textarea.name}
      {...(label !== undefined && { label })}
      description={description}
      error={error}
      className={className}
      autoFocus={autoFocus}
    >
      {(ties) => (
        <textarea
          {...textarea}
          {...(isReadOnly && { readOnly: true })}
          {...ties}
          className={classes.input}
        />
      )}
    </FieldFrame>
  );
}
