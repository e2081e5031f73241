import { type FormEvent, useRef, useState } from 'react';
import { useFocusKey } from '../hooks/use-focus-key.ts';
import { useTranslation } from '../i18n/index.ts';
import { KEYWORD_LENGTH_MAX } from '../lib/search-params.ts';
import { Button, IconButton } from './button.tsx';
import { TextInput } from './field.tsx';
import form from './form.module.css';
import { VisuallyHiddenAlert } from './form.tsx';

interface Props {
  readonly label: string;
  readonly submitLabel: string;
  /** What is searched for; empty for nothing. */
  readonly value: string;
  readonly lengthMax?: number;
  /** Leads to the field, from anywhere on the page. */
  readonly focusKey?: string;
  /** What is wrong with the words that were searched for last. */
  readonly problem?: string | undefined;
  readonly onSearch: (keyword: string) => void;
}

/** Words to find a list's records by. */
export function SearchForm({
  label,
  submitLabel,
  value,
  lengthMax = KEYWORD_LENGTH_MAX,
  focusKey,
  problem,
  onSearch,
}: Props) {
  const { t } = useTranslation('shell');
  const field = useRef<HTMLInputElement>(null);
  const [known, setKnown] = useState(value);
  const [typed, setTyped] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  useFocusKey(focusKey, field);
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  const clear = (): void => {
    setTyped('');
    if (value !== '') onSearch('');
    field.current?.focus();
  };
  return (
    <form onSubmit={search} className={form.search}>
      <TextInput
        ref={field}
        name="keyword"
        type="search"
        label={label}
        maxLength={lengthMax}
        icon="search"
        error={problem}
        enterKeyHint="search"
        aria-keyshortcuts={focusKey}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        trailing={
          typed === '' ? undefined : (
            <IconButton icon="close" label={t('filter.clearSearch')} onClick={clear} />
          )
        }
      />
      <Button type="submit" variant="default">
        {submitLabel}
      </Button>
      <VisuallyHiddenAlert>{problem ?? ''}</VisuallyHiddenAlert>
    </form>
  );
}
