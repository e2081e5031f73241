/** Finds a record by its number. */
import { useState } from 'react';
import { SearchForm } from '../components/search-form.tsx';
import { useTranslation } from '../i18n/index.ts';
import { readNumber } from '../lib/search-params.ts';

interface Props {
  readonly label: string;
  readonly value?: string;
  /** The first of the page has it. */
  readonly focusKey?: string;
  readonly onFind: (id: string | undefined) => void;
}

/** What is no number is not sent: the field says so. */
export function FindNumber({ onFind, value = '', ...field }: Props) {
  const { t } = useTranslation('operator');
  const [isWrong, setWrong] = useState(false);
  const find = (typed: string): void => {
    const id = readNumber(typed.replace(/^#/, ''));
    const isNumber = id !== undefined || typed === '';
    setWrong(!isNumber);
    if (isNumber) onFind(id);
  };
  return (
    <SearchForm
      {...field}
      value={value}
      submitLabel={t('users.search')}
      problem={isWrong ? t('transfers.noNumber') : undefined}
      onSearch={find}
    />
  );
}
