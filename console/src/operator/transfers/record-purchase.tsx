/** Records a purchase by hand: first what was bought, then a question that names all of it. */
import { useState } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Amount, amountText } from '../../components/amount.tsx';
import { Facts } from '../../components/description-list.tsx';
import { TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText, useSubmission } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { toUnits } from '../../lib/money-text.ts';
import { ChangeButton } from '../allows.tsx';
import { FullPersonName } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { type PurchaseOrder, recordPurchase } from './list-queries.ts';

/** As the service limits it. */
const REFERENCE_MAX = 200;

interface QuestionProps {
  readonly order: PurchaseOrder;
  readonly keyOf: (body: unknown) => string;
  readonly onClose: () => void;
  readonly onRecorded: () => void;
}

function Question({ order, keyOf, onClose, onRecorded }: QuestionProps) {
  const { t } = useTranslation('operator');
  const currency = useRewardCurrency();
  const operation = useOperation();
  const amount = amountText(order.amount, currency);
  const record = (): void =>
    operation.run(async () => {
      const { id } = await recordPurchase(order, keyOf(order));
      showToast(t('transfers.wasRecorded', { amount, id }));
    }, onRecorded);
  return (
    <Confirm
      title={t('transfers.recordTitle')}
      onClose={onClose}
      confirmLabel={t('transfers.recordAmount', { amount })}
      outcome={operation}
      onConfirm={record}
    >
      <Facts
        facts={[
          [t('payouts.person'), <FullPersonName key="person" userId={order.user_id} />],
          [t('transfers.package'), order.reference],
          [
            t('transfers.price'),
            <Amount key="price" value={order.amount} currency={currency} digits="exact" />,
          ],
        ]}
      />
      <p>{t(order.external === true ? 'transfers.recordOutside' : 'transfers.recordDebit')}</p>
    </Confirm>
  );
}

function Fields() {
  const { t } = useTranslation('operator');
  const currency = useRewardCurrency();
  return (
    <>
      <TextInput
        name="user_id"
        label={t('money.person')}
        inputMode="numeric"
        required
        autoComplete="off"
      />
      <TextInput
        name="reference"
        label={t('transfers.package')}
        description={t('transfers.packageLead')}
        maxLength={REFERENCE_MAX}
        required
        autoComplete="off"
      />
      <TextInput
        name="amount"
        label={t('transfers.priceIn', { currency })}
        inputMode="decimal"
        required
        autoComplete="off"
      />
    </>
  );
}

function RecordSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const submission = useSubmission();
  // Of the whole sheet: after a lost answer the same order has the same key, asked for anew or not.
  const keyOf = useRequestKeys();
  const [isOutside, setOutside] = useState(false);
  const [order, setOrder] = useState<PurchaseOrder>();
  const ask = (fields: HTMLFormElement): void => {
    const userId = Number(fieldText(fields, 'user_id'));
    const amount = fieldText(fields, 'amount');
    const wrong = {
      ...((!Number.isSafeInteger(userId) || userId < 1) && { user_id: t('money.personInvalid') }),
      ...(toUnits(amount) <= 0n && { amount: t('transfers.priceInvalid') }),
    };
    if (Object.keys(wrong).length > 0) {
      submission.refuse(wrong);
      return;
    }
    submission.setMessage('');
    setOrder({
      ...{ user_id: userId, amount, reference: fieldText(fields, 'reference') },
      ...(isOutside && { external: true }),
    });
  };
  return (
    <Sheet title={t('transfers.record')} onClose={onClose}>
      <Form submission={submission} submitLabel={t('transfers.review')} onSubmit={ask}>
        <p>{t('transfers.recordLead')}</p>
        <Fields />
        <Switch
          label={t('transfers.paidOutside')}
          description={t('transfers.paidOutsideLead')}
          isOn={isOutside}
          onChange={setOutside}
        />
      </Form>
      {order && (
        <Question
          order={order}
          keyOf={keyOf}
          onClose={() => setOrder(undefined)}
          onRecorded={onClose}
        />
      )}
    </Sheet>
  );
}

export function RecordPurchase() {
  const { t } = useTranslation('operator');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ChangeButton
        scope="operator:purchases"
        variant="default"
        size="sm"
        onClick={() => setOpen(true)}
      >
        {t('transfers.record')}
      </ChangeButton>
      {isOpen && <RecordSheet onClose={() => setOpen(false)} />}
    </>
  );
}
