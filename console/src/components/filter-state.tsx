/** Filters that are set show where they are not in sight, and can be taken away at once. */
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Button } from './button.tsx';
import classes from './filter-state.module.css';
import { EmptyState } from './layout.tsx';

interface FilterButtonProps {
  readonly active: number;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}

/** Opens the filters, and shows how many are set. */
export function FilterButton({ active, isOpen, onClick }: FilterButtonProps) {
  const { t } = useTranslation('shell');
  return (
    <Button variant="default" size="sm" icon="filter" aria-expanded={isOpen} onClick={onClick}>
      {active === 0 ? t('filter.button') : t('filter.active', { count: active })}
    </Button>
  );
}

interface ClearProps {
  readonly onClear: () => void;
}

function Clear({ onClear }: ClearProps) {
  const { t } = useTranslation('shell');
  return (
    <Button variant="default" size="sm" onClick={onClear}>
      {t('filter.clear')}
    </Button>
  );
}

interface FoundProps extends ClearProps {
  /** How much was found, in words. */
  readonly text: string;
  readonly isFiltered: boolean;
}

/** How much there is; of a part, with the way back to all. */
export function Found({ text, isFiltered, onClear }: FoundProps) {
  return (
    <div className={classes.found}>
      <p>{text}</p>
      {isFiltered && <Clear onClear={onClear} />}
    </div>
  );
}

interface NoMatchProps extends ClearProps {
  readonly title: string;
  /** What else can be tried. */
  readonly children?: ReactNode;
}

/** Nothing matches the filters. */
export function NoMatch({ title, onClear, children }: NoMatchProps) {
  return (
    <EmptyState icon="filter" title={title} action={<Clear onClear={onClear} />}>
      {children}
    </EmptyState>
  );
}
