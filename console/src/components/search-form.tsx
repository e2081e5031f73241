import { type FormEvent, useState } from 'react';
import { KEYWORD_LENGTH_MAX } from '../lib/search-params.ts';
import { Button } from './button.tsx';
import { TextInput } from './field.tsx';
import form from './form.module.css';

interface Props {
  readonly label: string;
  readonly submitLabel: string;
  /** What is searched for; empty for nothing. */
  readonly value: string;
  readonly onSearch: (keyword: string) => void;
}

/** Words to find a list's records by. */
export function SearchForm({ label, submitLabel, value, onSearch }: Props) {
  const [known, setKnown] = useState(value);
  const [typed, setTyped] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form onSubmit={search} className={form.search}>
      <TextInput
        name="keyword"
        type="search"
        label={label}
        maxLength={KEYWORD_LENGTH_MAX}
        icon="search"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {submitLabel}
      </Button>
    </form>
  );
}
