/** Purchases, a row each; a row opens its purchase. */
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import classes from '../money-lists.module.css';
import { PersonName } from '../person-name.tsx';
import type { ListedPurchase } from './list-queries.ts';

interface RowProps {
  readonly purchase: ListedPurchase;
  readonly onOpen: () => void;
}

function Row({ purchase, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const { id, reference } = purchase;
  return (
    <tr>
      <td className={classes.time}>
        <DateTime iso={purchase.created_at} isShort />
      </td>
      <td className={classes.what}>
        <RowOpener label={t('transfers.openRow', { reference, id })} onOpen={onOpen}>
          {reference}
        </RowOpener>
        <span className={table.small}>{purchase.external && t('transfers.paidOutside')}</span>
      </td>
      <td className={classes.who}>
        <PersonName userId={purchase.user_id} />
      </td>
      <td className={classes.state}>{t(`transfers.purchaseState.${purchase.status}`)}</td>
      <td className={`${table.amount} ${classes.amount}`}>
        <Amount value={purchase.amount} currency={purchase.currency} size="sm" isInColumn />
      </td>
    </tr>
  );
}

interface TableProps {
  readonly purchases: readonly ListedPurchase[];
  readonly onOpen: (purchase: ListedPurchase) => void;
}

export function PurchaseTable({ purchases, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('transfers.purchases')}
      columns={[
        { key: 'time', label: t('transfers.recorded'), className: classes.time },
        { key: 'what', label: t('transfers.package'), className: classes.what },
        { key: 'who', label: t('payouts.person'), className: classes.who },
        { key: 'state', label: t('person.state'), className: classes.state },
        {
          key: 'amount',
          label: t('money.amount'),
          className: `${table.amount} ${classes.amount}`,
        },
      ]}
    >
      {purchases.map((purchase) => (
        <Row key={purchase.id} purchase={purchase} onOpen={() => onOpen(purchase)} />
      ))}
    </DenseTable>
  );
}
