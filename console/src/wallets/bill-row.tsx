import { memo } from 'react';
import { Amount } from '../components/amount.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Icon } from '../components/icon.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useTranslation } from '../i18n/index.ts';
import { businessText, rewardTypeText } from '../i18n/labels.ts';
import type { Bill } from './queries.ts';
import classes from './wallets.module.css';

/** The amount with the sign of its direction. */
export function signedAmount(bill: Bill): string {
  return bill.amount_direction === 2 && !bill.amount.startsWith('-')
    ? `-${bill.amount}`
    : bill.amount;
}

interface BillRowProps {
  readonly bill: Bill;
  /** The decimals of the column. */
  readonly scale: number;
  readonly onOpen: (bill: Bill) => void;
}

export const BillRow = memo(function BillRow({ bill, scale, onOpen }: BillRowProps) {
  const { t } = useTranslation('wallets');
  return (
    <button type="button" className={classes.bill} onClick={() => onOpen(bill)}>
      <span className={classes.billIcon} data-direction={bill.amount_direction}>
        <Icon name={bill.amount_direction === 1 ? 'arrowDown' : 'arrowUp'} size={18} />
      </span>
      <span className={classes.billText}>
        <span className={classes.billTitle}>
          {bill.reward_type === undefined
            ? businessText(t, bill.business_id)
            : rewardTypeText(t, bill.reward_type)}
        </span>
        <span className={classes.billTime}>
          <DateTime iso={bill.created_at} isShort />
        </span>
      </span>
      <span className={classes.billAmount}>
        <Amount
          value={signedAmount(bill)}
          currency={bill.currency}
          isSigned
          stacked="end"
          scale={scale}
        />
      </span>
    </button>
  );
});

export function MissingBillRow() {
  return (
    <span className={classes.bill} aria-hidden="true">
      <Skeleton height={36} width={36} isCircle />
      <Skeleton height={14} width="60%" />
    </span>
  );
}
