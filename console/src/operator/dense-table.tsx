/** A dense table: rows that one steps through by the arrow keys, and opens with Enter. */
import type { KeyboardEvent, ReactNode } from 'react';
import unseen from '../components/visually-hidden.module.css';
import table from './dense-table.module.css';

interface Column {
  readonly key: string;
  readonly label: string;
  readonly className?: string | undefined;
  /** Over a column of buttons: for screen readers alone. */
  readonly isUnseen?: boolean;
}

interface Props {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}

type Step = (at: number, last: number) => number;

const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

/** From what opens one row to what opens another. */
function step(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const next = STEPS[event.key];
  if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
  const openers = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${table.open}`)];
  const at = openers.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  openers[next(at, openers.length - 1)]?.focus();
}

export function DenseTable({ label, columns, children }: Props) {
  return (
    <table className={table.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, label: name, className, isUnseen = false }) => (
            <th key={key} scope="col" className={className}>
              {isUnseen ? <span className={unseen.unseen}>{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      {/* The rows' own buttons and links are what is pressed. */}
      <tbody onKeyDown={step}>{children}</tbody>
    </table>
  );
}

interface OpenerProps {
  /** What it opens; begins or ends with what is in sight. */
  readonly label: string;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** Opens the row: a press anywhere in it, or Enter while this has the focus. */
export function RowOpener({ label, onOpen, children }: OpenerProps) {
  return (
    <button type="button" className={table.open} aria-label={label} onClick={onOpen}>
      {children}
    </button>
  );
}
