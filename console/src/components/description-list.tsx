import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface Props {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Of a page: where there is room, two stand side by side, each value near its name. */
  readonly isPaired?: boolean;
}

/** Names and values; a fact without a value is left out. */
export function Facts({ facts, isPaired = false }: Props) {
  return (
    <dl className={isPaired ? `${classes.facts} ${classes.paired}` : classes.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
