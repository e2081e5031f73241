/** Transfers, a row each; a row opens its transfer. */
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { businessText, rewardTypeText } from '../../i18n/labels.ts';
import { AccountLink } from '../account-link.tsx';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import classes from '../money-lists.module.css';
import { referenceText } from '../reference-text.ts';
import type { ListedTransfer } from './list-queries.ts';
import type { TransferSide } from './queries.ts';

const codeOf = ({ user_id, house = '' }: TransferSide): string =>
  user_id === undefined ? house : `user:${user_id}`;

interface RowProps {
  readonly transfer: ListedTransfer;
  readonly onOpen: () => void;
}

function Row({ transfer, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const { id, debit, credit, currency, reward_type: type, business_id: business } = transfer;
  const what = type === undefined ? businessText(t, business) : rewardTypeText(t, type);
  const words = [
    transfer.reversed_by !== undefined && t('transfers.undone'),
    transfer.remark,
    referenceText(t, transfer.reference),
  ];
  return (
    <tr>
      <td className={classes.time}>
        <DateTime iso={transfer.created_at} isShort />
      </td>
      <td className={classes.what}>
        <RowOpener label={t('statements.openBill', { what, id })} onOpen={onOpen}>
          {what}
        </RowOpener>
        <span className={table.small}>{words.filter(Boolean).join(' · ')}</span>
      </td>
      <td className={classes.who}>
        <span className={classes.side}>
          <AccountLink code={codeOf(debit)} currency={currency} />
        </span>{' '}
        <span className={classes.side}>
          → <AccountLink code={codeOf(credit)} currency={currency} />
        </span>
      </td>
      <td className={`${table.amount} ${classes.amount}`}>
        <Amount value={transfer.amount} currency={currency} size="sm" isInColumn />
      </td>
    </tr>
  );
}

interface TableProps {
  readonly transfers: readonly ListedTransfer[];
  readonly onOpen: (transfer: ListedTransfer) => void;
}

export function TransferTable({ transfers, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('transfers.recent')}
      columns={[
        { key: 'time', label: t('transfers.recorded'), className: classes.time },
        { key: 'what', label: t('transfers.kind'), className: classes.what },
        { key: 'sides', label: t('transfers.sides'), className: classes.who },
        {
          key: 'amount',
          label: t('money.amount'),
          className: `${table.amount} ${classes.amount}`,
        },
      ]}
    >
      {transfers.map((transfer) => (
        <Row key={transfer.id} transfer={transfer} onOpen={() => onOpen(transfer)} />
      ))}
    </DenseTable>
  );
}
