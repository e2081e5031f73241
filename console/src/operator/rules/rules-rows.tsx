/** Fields of rules, and lists of rows of them that grow and shrink. */
import { Button, IconButton } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import classes from './rules.module.css';

/** What a text field of a row has to know. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'decimal' | 'numeric' | 'datetime-local' | undefined;
  /** Values to choose from, with their words, instead of a text. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

type Row = Readonly<Record<string, string>>;

interface RowsProps<T extends Row> {
  /** The name of the list in the rules. */
  readonly list: string;
  readonly rows: readonly T[];
  readonly fields: readonly (Field & { readonly name: keyof T & string })[];
  readonly empty: T;
  readonly max: number;
  readonly addLabel: string;
  /** What the button says that removes row `n`. */
  readonly removeLabel: (n: number) => string;
  readonly onChange: (rows: readonly T[]) => void;
}

export function Cell({
  field,
  name,
  value,
  onChange,
}: {
  readonly field: Field;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  if (field.options)
    return (
      <Select
        name={name}
        label={field.label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        options={[...field.options]}
      />
    );
  const isTime = field.kind === 'datetime-local';
  return (
    <TextInput
      name={name}
      label={field.label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      {...(isTime
        ? { type: 'datetime-local', step: 3600 }
        : { inputMode: field.kind === undefined ? 'text' : field.kind })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function Rows<T extends Row>(props: RowsProps<T>) {
  const { list, rows, fields, empty, max, addLabel, removeLabel, onChange } = props;
  return (
    <>
      {rows.map((row, at) => (
        // A row has no other identity than its place.
        <div key={String(at)} className={classes.row}>
          <div className={classes.cells}>
            {fields.map((field) => (
              <Cell
                key={field.name}
                field={field}
                name={`rules.${list}.${at}.${field.name}`}
                value={row[field.name] ?? ''}
                onChange={(value) =>
                  onChange(rows.map((one, n) => (n === at ? { ...one, [field.name]: value } : one)))
                }
              />
            ))}
          </div>
          <IconButton
            icon="close"
            label={removeLabel(at + 1)}
            onClick={() => onChange(rows.filter((_, n) => n !== at))}
          />
        </div>
      ))}
      {rows.length < max && (
        <Button variant="default" size="sm" onClick={() => onChange([...rows, empty])}>
          {addLabel}
        </Button>
      )}
    </>
  );
}
