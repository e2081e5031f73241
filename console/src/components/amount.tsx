import { type CSSProperties, Fragment } from 'react';
import { amountText, DECIMALS_MAX, splitAmount } from '../lib/money-text.ts';
import classes from './amount.module.css';
import unseen from './visually-hidden.module.css';

interface Props {
  /** Exact decimal text. */
  readonly value: string;
  readonly currency?: string;
  readonly size?: 'sm' | 'md' | 'lg' | 'hero';
  /** Shows a plus, and colours what came in. */
  readonly isSigned?: boolean;
  /**
   * Where a line is short: on a phone the far decimals come below, at this side; or on any screen,
   * at the end.
   */
  readonly stacked?: 'start' | 'end' | 'always';
  /**
   * In a column: the decimals of the longest amount, for which there is room, so that point stands
   * under point.
   */
  readonly scale?: number | undefined;
}

/** As many figures as are missing; what is not there is not in the text either. */
function room(digits: string, count: number): string | undefined {
  return digits.length < count ? '0'.repeat(count - digits.length) : undefined;
}

/**
 * From a million up a number may break between its groups, and is printed the smaller the longer it
 * is.
 */
const LONG = 9;
/** No line of a phone holds it. */
const HUGE = 16;

function lengthOf(whole: string): 'long' | 'huge' | undefined {
  if (whole.length < LONG) return undefined;
  return whole.length < HUGE ? 'long' : 'huge';
}

/** The groups of a whole number; between them it may break. */
function Groups({ whole }: { readonly whole: string }) {
  return whole.split(/(?<=,)/).map((group, at, all) => (
    <Fragment key={all.slice(at).join('')}>
      {at > 0 && <wbr />}
      {group}
    </Fragment>
  ));
}

/**
 * An exact amount: every digit is there, the far decimals stand back. In a column the room of the
 * decimals that are not there comes after everything else: a number and its currency are read as
 * one.
 */
export function Amount({
  value,
  currency,
  size = 'md',
  isSigned = false,
  stacked,
  scale = 0,
}: Props) {
  const parts = splitAmount(value, { plus: isSigned });
  if (!parts) return <span className={classes.amount}>{value}</span>;
  const nearRoom = room(parts.decimals, Math.min(scale, DECIMALS_MAX));
  const tailRoom = room(parts.tail, scale - DECIMALS_MAX);
  const length = lengthOf(parts.whole);
  const sign = parts.sign === '-' ? '−' : parts.sign;
  const isStacked = stacked !== undefined && length === undefined;
  const isSplit = isStacked && parts.tail !== '';
  const names = [
    classes.amount,
    classes[size],
    isSigned && parts.sign === '+' && classes.earned,
    isStacked && classes.stacked,
  ];
  return (
    <span
      className={names.filter(Boolean).join(' ')}
      data-side={stacked}
      data-length={length}
      data-column={scale > 0 || undefined}
      style={length && ({ '--figures': parts.whole.length } as CSSProperties)}
    >
      {isSplit && (
        <span
          className={`${unseen.unseen} ${classes.whole}`}
          data-whole={`${sign}${parts.whole}.${parts.decimals}${parts.tail}`}
        />
      )}
      <span className={classes.figure} aria-hidden={isSplit || undefined}>
        <span className={classes.near}>
          {sign}
          {length === undefined ? parts.whole : <Groups whole={parts.whole} />}
          <span className={classes.decimals}>.{parts.decimals}</span>
        </span>
        {parts.tail !== '' && <wbr />}
        {parts.tail !== '' && (
          <span className={classes.tail} data-room={tailRoom}>
            {parts.tail}
          </span>
        )}
      </span>
      {currency !== undefined && (
        <span className={classes.currency}>
          {length === undefined ? ' ' : '\u00a0'}
          {currency}
        </span>
      )}
      {(nearRoom !== undefined || tailRoom !== undefined) && (
        <span className={classes.room} data-near={nearRoom} data-tail={tailRoom} />
      )}
    </span>
  );
}

/** The same as text, for labels. */
export { amountText };
