/** Choices that take effect at once. */
import { useId } from 'react';
import classes from './choice.module.css';
import fields from './field.module.css';
import { useReadOnly } from './read-only.ts';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    /** In full, where the label is short; it contains the label. */
    readonly name?: string;
  }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all in sight. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.segments}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            aria-label={option.name}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

interface SwitchGroupProps {
  readonly legend: string;
  readonly options: readonly string[];
  /** An option in words. */
  readonly labelOf: (option: string) => string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Any of some, in their order. */
export function SwitchGroup({ legend, options, labelOf, chosen, onChange }: SwitchGroupProps) {
  const set = (option: string, isOn: boolean): void =>
    onChange(options.filter((entry) => (entry === option ? isOn : chosen.includes(entry))));
  return (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <Switch
          key={option}
          label={labelOf(option)}
          isOn={chosen.includes(option)}
          onChange={(isOn) => set(option, isOn)}
        />
      ))}
    </fieldset>
  );
}

interface SwitchProps {
  /** In sight beside the switch, unless the words stand elsewhere. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** What it means, below. */
  readonly description?: string;
  readonly isOn: boolean;
  /** Its last change runs: it takes no other. */
  readonly isBusy?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** On or off. */
export function Switch({
  label,
  isLabelHidden = false,
  description,
  isOn,
  isBusy = false,
  onChange,
}: SwitchProps) {
  const isReadOnly = useReadOnly();
  const id = useId();
  const control = (
    <label className={classes.switch}>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-disabled={isBusy || undefined}
        aria-describedby={description === undefined ? undefined : id}
        disabled={isReadOnly}
        {...(isLabelHidden && { 'aria-label': label })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={classes.track} />
      {!isLabelHidden && label}
    </label>
  );
  if (description === undefined) return control;
  return (
    <div>
      {control}
      <p id={id} className={fields.description}>
        {description}
      </p>
    </div>
  );
}
