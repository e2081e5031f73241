/** A purchase of a package, and the way to pay it back. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount, amountText } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { TextInput } from '../../components/field.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { fromUnits, toUnits } from '../../lib/money-text.ts';
import { ChangeButton } from '../allows.tsx';
import { FullPersonName } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { type Purchase, purchaseQuery, refundPurchase } from './queries.ts';
import { TransferSheet } from './transfer-sheet.tsx';
import classes from './transfers.module.css';

/** As the service limits it. */
const REFERENCE_MAX = 200;

const remainsOf = ({ amount, refunded }: Purchase): string =>
  fromUnits(toUnits(amount) - toUnits(refunded));

interface RefundProps {
  readonly purchase: Purchase;
  readonly onClose: () => void;
}

function RefundSheet({ purchase, onClose }: RefundProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const keyOf = useRequestKeys();
  const { id, currency } = purchase;
  const [amount, setAmount] = useState(remainsOf(purchase));
  const [reference, setReference] = useState('');
  const submit = (): void => {
    const refund = { amount: amount.trim(), reference: reference.trim() };
    operation.run(async () => {
      await refundPurchase(id, refund, keyOf({ id, refund }));
      showToast(t('transfers.refunded', { amount: amountText(refund.amount, currency), id }));
    }, onClose);
  };
  return (
    <Confirm
      title={t('transfers.refundTitle', { id })}
      onClose={onClose}
      confirmLabel={t('transfers.refundAmount', { amount: amountText(amount.trim(), currency) })}
      outcome={operation}
      onConfirm={submit}
    >
      <p>
        <FullPersonName userId={purchase.user_id} />
      </p>
      <TextInput
        name="amount"
        label={t('money.amount')}
        description={t(purchase.external ? 'transfers.refundOutside' : 'transfers.refundLead', {
          amount: amountText(remainsOf(purchase), currency),
        })}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        inputMode="decimal"
        required
        autoComplete="off"
      />
      <TextInput
        name="reference"
        label={t('transfers.reference')}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
        maxLength={REFERENCE_MAX}
        autoComplete="off"
      />
    </Confirm>
  );
}

export function PurchaseCard({ id }: { readonly id: number }) {
  const { t } = useTranslation('operator');
  const purchase = useQuery(purchaseQuery(id));
  const [opened, setOpened] = useState<'refund' | 'transfer'>();
  const close = (): void => setOpened(undefined);
  return (
    <QueryBoundary query={purchase} skeleton={<SkeletonLines count={4} />}>
      {(data) => (
        <>
          <Facts
            isPaired
            facts={[
              [t('transfers.purchase'), String(data.id)],
              [t('payouts.person'), <FullPersonName key="person" userId={data.user_id} />],
              [
                t('money.amount'),
                <Amount key="amount" value={data.amount} currency={data.currency} />,
              ],
              [
                t('transfers.paidBack'),
                <Amount key="refunded" value={data.refunded} currency={data.currency} />,
              ],
              [t('person.state'), t(`transfers.purchaseState.${data.status}`)],
              [t('transfers.paidOutside'), data.external && t('payouts.yes')],
              [t('transfers.reference'), data.reference],
              [t('transfers.recorded'), <DateTime key="created" iso={data.created_at} />],
            ]}
          />
          <div className={classes.ways}>
            {data.status !== 'refunded' && (
              <ChangeButton
                scope="operator:purchases"
                variant="default"
                size="sm"
                onClick={() => setOpened('refund')}
              >
                {t('transfers.refund')}
              </ChangeButton>
            )}
            <Button variant="default" size="sm" onClick={() => setOpened('transfer')}>
              {t('transfers.number', { id: data.transfer_id })}
            </Button>
          </div>
          {opened === 'refund' && <RefundSheet purchase={data} onClose={close} />}
          {opened === 'transfer' && <TransferSheet id={data.transfer_id} onClose={close} />}
        </>
      )}
    </QueryBoundary>
  );
}
