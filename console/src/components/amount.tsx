import { type CSSProperties, Fragment, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { amountText, columnDecimals, readableDecimals, splitAmount } from '../lib/money-text.ts';
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
   * `switch`: the readable amount, and the exact one after a tap. `readable`: where the amount is
   * part of a control that leads to the exact one. `exact`: every digit.
   */
  readonly digits?: 'switch' | 'readable' | 'exact';
  /** Numbers of a column end at one edge: currencies are equally wide, and decimals as many. */
  readonly isInColumn?: boolean;
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

interface FigureProps {
  readonly parts: NonNullable<ReturnType<typeof splitAmount>>;
  /** The decimals that are printed. */
  readonly shown: string;
}

/** The number as it is printed; screen readers skip it where it is not exact. */
function Figure({ parts, shown }: FigureProps) {
  return (
    <span className={classes.figure} aria-hidden={shown !== parts.decimals || undefined}>
      {parts.sign === '-' ? '−' : parts.sign}
      {lengthOf(parts.whole) === undefined ? parts.whole : <Groups whole={parts.whole} />}
      <span className={classes.decimals}>.{shown}</span>
    </span>
  );
}

/**
 * An amount. It shows the decimals that people read; screen readers always get the exact amount.
 */
export function Amount({
  value,
  currency,
  size = 'md',
  isSigned = false,
  digits = 'switch',
  isInColumn = false,
}: Props) {
  const { t } = useTranslation('shell');
  const [isOpen, setOpen] = useState(false);
  const parts = splitAmount(value, { plus: isSigned });
  if (!parts) return <span className={classes.amount}>{value}</span>;
  const readable = isInColumn ? columnDecimals(parts) : readableDecimals(parts);
  const shown = digits === 'exact' || isOpen ? parts.decimals : readable;
  const isCut = readableDecimals(parts) !== parts.decimals;
  const length = lengthOf(parts.whole);
  const exact = amountText(value);
  const figure = <Figure parts={parts} shown={shown} />;
  const names = [
    classes.amount,
    classes[size],
    isSigned && parts.sign === '+' && classes.earned,
    shown === parts.decimals && classes.exact,
    (digits === 'exact' || isOpen) && classes.asked,
  ];
  return (
    <span
      className={names.filter(Boolean).join(' ')}
      data-length={length}
      data-column={isInColumn || undefined}
      style={length && ({ '--figures': parts.whole.length } as CSSProperties)}
    >
      {isCut && digits === 'switch' ? (
        <button
          type="button"
          className={classes.switch}
          aria-expanded={isOpen}
          title={isOpen ? undefined : exact}
          aria-label={t('exactAmount', { amount: exact })}
          onClick={() => setOpen(!isOpen)}
        >
          {figure}
        </button>
      ) : (
        <>
          {shown !== parts.decimals && (
            <span className={`${unseen.unseen} ${classes.whole}`}>{exact}</span>
          )}
          {figure}
        </>
      )}
      {currency !== undefined && (
        <span className={classes.currency}>
          {length === undefined ? ' ' : '\u00a0'}
          {currency}
        </span>
      )}
    </span>
  );
}

/** The same as text, for labels. */
export { amountText };
