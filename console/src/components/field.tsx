/** Fields with their label, hint and failure, tied together for screen readers. */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../i18n/index.ts';
import { NO_FIELDS, type FieldTexts as Problems } from '../i18n/problem-text.ts';
import { IconButton } from './button.tsx';
import classes from './field.module.css';
import { Icon, type IconName } from './icon.tsx';
import { useReadOnly } from './read-only.ts';

/** What is wrong with the fields of a form, by their names. */
export const FieldProblems = createContext<Problems>(NO_FIELDS);

interface FieldTexts {
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

function Frame({
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
    <Frame
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
    </Frame>
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
    <Frame
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
    </Frame>
  );
}

interface SelectProps extends FieldTexts, Omit<ComponentProps<'select'>, 'size'> {
  readonly options: readonly (string | { readonly value: string; readonly label: string })[];
}

/** The browser's own choice from a list: on a phone, the phone's. */
export function Select({ label, description, error, className, options, ...select }: SelectProps) {
  const isReadOnly = useReadOnly();
  return (
    <Frame
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
          <span className={classes.chevron}>
            <Icon name="chevron" size={16} />
          </span>
        </>
      )}
    </Frame>
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
    <Frame
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
    </Frame>
  );
}
