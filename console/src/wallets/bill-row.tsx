import { memo } from 'react';
import { Amount } from '../components/amount.tsx';
import { DateOnly, TimeOfDay } from '../components/date-time.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useTranslation } from '../i18n/index.ts';
import { businessText, rewardTypeText } from '../i18n/labels.ts';
import { ApproximateValue } from './approximate-value.tsx';
import { signedAmount } from './bill-values.ts';
import type { ListedBill, Subtotal } from './day-subtotals.ts';
import { DeviceName } from './device-name.tsx';
import { EventTime } from './event-time.tsx';
import type { Bill, Wallet } from './queries.ts';
import { timeKindOf } from './time-kind.ts';
import classes from './wallets.module.css';

/** Icons by reward type, then by transaction type. */
const ICONS: Readonly<Record<string, IconName>> = {
  UPTIME: 'clock',
  TRAFFIC: 'traffic',
  TASK: 'check',
  REFERRAL: 'people',
  BONUS: 'gift',
  PENALTY: 'penalty',
  reward: 'gauge',
  referral_reward: 'people',
  deposit: 'arrowDown',
  withdrawal: 'arrowUp',
  package_purchase: 'package',
  package_refund: 'package',
  conversion_in: 'swap',
  conversion_out: 'swap',
};

function iconOf({ reward_type = '', business_id, amount_direction }: Bill): IconName {
  return (
    ICONS[reward_type] ?? ICONS[business_id] ?? (amount_direction === 1 ? 'arrowDown' : 'arrowUp')
  );
}

/** Recorded so much later than it happened, an entry shows when it happened. */
const LATE_MS = 2 * 3_600_000;

function isLate({ event_at, created_at }: Bill): boolean {
  return Date.parse(created_at) - Date.parse(event_at) > LATE_MS;
}

/** What a day adds up to, by currency: one entry says it itself. */
function DayTotals({ totals }: { readonly totals: readonly Subtotal[] }) {
  const { t } = useTranslation('wallets');
  const entries = totals.reduce((sum, { bills }) => sum + bills, 0);
  if (entries < 2) return null;
  return (
    <span className={classes.dayTotals}>
      <span>{t('dayTotal')}</span>
      {totals.map(({ currency, amount }) => (
        <span key={currency} className={classes.dayAmount}>
          <Amount isInColumn value={amount} currency={currency} isSigned />
        </span>
      ))}
    </span>
  );
}

interface BillRowProps {
  readonly bill: ListedBill;
  readonly wallet: Wallet;
  /** The day stands above it. */
  readonly isFirstOfDay: boolean;
  readonly onOpen: (bill: ListedBill) => void;
}

export const BillRow = memo(function BillRow({ bill, wallet, isFirstOfDay, onOpen }: BillRowProps) {
  const { t } = useTranslation('wallets');
  return (
    <>
      {isFirstOfDay && (
        <div className={classes.billDay}>
          <DateOnly iso={bill.created_at} />
          {bill.dayTotals && <DayTotals totals={bill.dayTotals} />}
        </div>
      )}
      <button type="button" className={classes.bill} data-entry onClick={() => onOpen(bill)}>
        <span className={classes.billIcon} data-direction={bill.amount_direction}>
          <Icon name={iconOf(bill)} size={18} />
        </span>
        <span className={classes.billText}>
          <span className={classes.billTitle}>
            {bill.reward_type === undefined
              ? businessText(t, bill.business_id)
              : rewardTypeText(t, bill.reward_type)}
          </span>
          <span className={classes.billTime}>
            <span>
              {isLate(bill) ? (
                <>
                  {t(`${timeKindOf(bill)}At`)} <EventTime bill={bill} isShort />
                </>
              ) : (
                <TimeOfDay iso={bill.created_at} />
              )}
            </span>{' '}
            {bill.node_id !== undefined && (
              <span className={classes.billDevice}>
                <DeviceName nodeId={bill.node_id} isShort />
              </span>
            )}
          </span>
        </span>
        <span className={classes.billAmount}>
          <Amount
            digits="readable"
            isInColumn
            value={signedAmount(bill)}
            currency={bill.currency}
            isSigned
          />
          <ApproximateValue amount={signedAmount(bill)} currency={bill.currency} wallet={wallet} />
        </span>
      </button>
    </>
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
