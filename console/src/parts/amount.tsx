import { amountText, splitAmount } from '../lib/money-text.ts';
import classes from './amount.module.css';

interface Props {
  /** Exact decimal text. */
  readonly value: string;
  readonly currency?: string;
  readonly size?: 'sm' | 'md' | 'lg' | 'hero';
  /** Shows a plus, and colours what came in. */
  readonly isSigned?: boolean;
}

/** An exact amount: every digit is there, the far decimals stand back. */
export function Amount({ value, currency, size = 'md', isSigned = false }: Props) {
  const parts = splitAmount(value, { plus: isSigned });
  if (!parts) return <span className={classes.amount}>{value}</span>;
  const tone = isSigned && parts.sign === '+' ? classes.earned : undefined;
  return (
    <span className={[classes.amount, classes[size], tone].filter(Boolean).join(' ')}>
      <span className={classes.figure}>
        {parts.sign === '-' ? '−' : parts.sign}
        {parts.whole}
        <span className={classes.decimals}>
          .{parts.decimals}
          {parts.tail !== '' && (
            <>
              <wbr />
              <span className={classes.tail}>{parts.tail}</span>
            </>
          )}
        </span>
      </span>
      {currency !== undefined && <span className={classes.currency}> {currency}</span>}
    </span>
  );
}

/** The same as text, for labels. */
export { amountText };
