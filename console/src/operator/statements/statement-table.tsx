/** Bills of an account of the house, a row each; a row opens its transfer. */
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { businessText, rewardTypeText } from '../../i18n/labels.ts';
import { signedAmount } from '../../wallets/bill-values.ts';
import { AccountLink } from '../account-link.tsx';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import { referenceText } from '../reference-text.ts';
import type { StatementBill } from './queries.ts';
import classes from './statements.module.css';

/** With the class of each. */
const COLUMNS = {
  time: classes.time,
  what: classes.what,
  side: classes.side,
  amount: `${table.amount} ${classes.amount}`,
  balance: `${table.amount} ${classes.balance}`,
} as const;

interface RowProps {
  readonly bill: StatementBill;
  readonly onOpen: () => void;
}

function Row({ bill, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const { reward_type: type, business_id: business, counterparty = '' } = bill;
  const what = type === undefined ? businessText(t, business) : rewardTypeText(t, type);
  return (
    <tr>
      <td className={COLUMNS.time}>
        <DateTime iso={bill.created_at} isShort />
      </td>
      <td className={COLUMNS.what}>
        <button
          type="button"
          className={table.open}
          aria-label={t('statements.openBill', { what, id: bill.transfer_id })}
          onClick={onOpen}
        >
          {what}
        </button>
        <span className={table.small}>
          {[bill.remark, referenceText(t, bill.reference)].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td className={COLUMNS.side}>
        <AccountLink code={counterparty} currency={bill.currency} />
      </td>
      <td className={COLUMNS.amount}>
        <Amount value={signedAmount(bill)} isSigned size="sm" />
      </td>
      <td className={COLUMNS.balance}>
        <Amount value={bill.balance_after} size="sm" />
      </td>
    </tr>
  );
}

interface TableProps {
  readonly bills: readonly StatementBill[];
  readonly onOpen: (bill: StatementBill) => void;
}

export function StatementTable({ bills, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('statements.bills')}
      columns={(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((key) => ({
        key,
        label: t(`statements.column.${key}`),
        className: COLUMNS[key],
      }))}
    >
      {bills.map((bill) => (
        <Row key={bill.id} bill={bill} onOpen={() => onOpen(bill)} />
      ))}
    </DenseTable>
  );
}
