import { amountText, splitAmount } from '../lib/money-text.ts';
import classes from './amount.module.css';

interface Props {
  /** Exact decimal text. */
  readonly value: string;
  readonly currency?: string;
  readonly size?: 'sm' | 'md' | 'lg' | 'hero';
  /** Shows a plus, and colours what came in. */
  readonly isSigned?: boolean;
  /** Where a line is short: on a phone the far decimals come below, at this side. */
  readonly stacked?: 'start' | 'end';
}

/** An exact amount: every digit is there, the far decimals stand back. */
export function Amount({ value, currency, size = 'md', isSigned = false, stacked }: Props) {
  const parts = splitAmount(value, { plus: isSigned });
  if (!parts) return <span className={classes.amount}>{value}</span>;
  const names = [classes.amount, classes[size], isSigned && parts.sign === '+' && classes.earned, stacked !== undefined && classes.stacked];
  return (
    <span className={names.filter(Boolean).join(' ')} data-side={stacked}>
      <span className={classes.figure}>
        <span className={classes.near}>
          {parts.sign === '-' ? '−' : parts.sign}
          {parts.whole}
          <span className={classes.decimals}>.{parts.decimals}</span>
        </span>
        {parts.tail !== '' && (
          <>
            <wbr />
            <span className={classes.tail}>{parts.tail}</span>
          </>
        )}
      </span>
      {currency !== undefined && <span className={classes.currency}> {currency}</span>}
    </span>
  );
}

/** The same as text, for labels. */
export { amountText };
