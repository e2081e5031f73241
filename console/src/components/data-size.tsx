import { dataSizeOf } from '../lib/data-size.ts';
import { Amount } from './amount.tsx';
import classes from './data-size.module.css';

/** Traffic in the unit in which it is read; in gigabytes, to the byte, on hover. */
export function Traffic({
  gigabytes,
  size = 'md',
  digits = 'readable',
}: {
  readonly gigabytes: string;
  readonly size?: 'sm' | 'md';
  /** `switch`: to the byte after a tap, where it is no part of a control. */
  readonly digits?: 'readable' | 'switch';
}) {
  const { value, unit } = dataSizeOf(gigabytes);
  return (
    <span className={classes.size} title={`${gigabytes} GB`}>
      <Amount digits={digits} value={value} currency={unit} size={size} />
    </span>
  );
}
