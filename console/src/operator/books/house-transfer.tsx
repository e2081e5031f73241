/** Moves money between two accounts of the house, such as into the pool that rewards come from. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Currency, useCurrencies } from '../../api/currencies.ts';
import { amountText } from '../../components/amount.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { combineQueries, QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { counterpartyText } from '../../i18n/labels.ts';
import { ChangeButton } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { moveInHouse, type WalletKind, walletKindsQuery } from './queries.ts';

const REASON_MAX = 200;

interface FormProps {
  readonly kinds: readonly WalletKind[];
  readonly currencies: readonly Currency[];
  readonly onMoved: () => void;
}

function Fields({ kinds, currencies }: Omit<FormProps, 'onMoved'>) {
  const { t } = useTranslation('operator');
  const accounts = kinds
    .filter(({ house }) => house)
    .map(({ wallet }) => ({ value: wallet, label: counterpartyText(t, wallet) }));
  return (
    <>
      <Select name="from" label={t('transfers.from')} options={accounts} defaultValue="treasury" />
      <Select name="to" label={t('transfers.to')} options={accounts} defaultValue="reward_pool" />
      <Select
        name="currency"
        label={t('money.currency')}
        options={currencies.map(({ code }) => code)}
        defaultValue={currencies.find(({ is_reward_currency }) => is_reward_currency)?.code}
      />
      <TextInput
        name="amount"
        label={t('money.amount')}
        inputMode="decimal"
        required
        autoComplete="off"
      />
      <TextInput
        name="reason"
        label={t('users.reason')}
        description={t('books.reasonLead')}
        maxLength={REASON_MAX}
        required
        autoComplete="off"
      />
    </>
  );
}

function TransferForm({ onMoved, ...lists }: FormProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const keyOf = useRequestKeys();
  const submit = (form: HTMLFormElement): void => {
    const order = {
      from: fieldText(form, 'from'),
      to: fieldText(form, 'to'),
      currency: fieldText(form, 'currency'),
      amount: fieldText(form, 'amount'),
      reason: fieldText(form, 'reason').trim(),
    };
    if (order.from === order.to) {
      operation.refuse({ to: t('books.sameAccount') });
      return;
    }
    operation.run(async () => {
      await moveInHouse(order, keyOf(order));
      showToast(t('books.moved', { amount: amountText(order.amount, order.currency) }));
    }, onMoved);
  };
  return (
    <Form submission={operation} submitLabel={t('books.move')} onSubmit={submit}>
      <Fields {...lists} />
    </Form>
  );
}

function HouseTransferSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const both = combineQueries(useQuery(walletKindsQuery), useCurrencies());
  return (
    <Sheet title={t('books.moveTitle')} onClose={onClose}>
      <Text>{t('books.moveLead')}</Text>
      <QueryBoundary query={both} skeleton={<SkeletonLines count={5} height={60} />}>
        {([kinds, currencies]) => (
          <TransferForm kinds={kinds} currencies={currencies} onMoved={onClose} />
        )}
      </QueryBoundary>
    </Sheet>
  );
}

export function HouseTransfer() {
  const { t } = useTranslation('operator');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ChangeButton scope="operator:transfers" size="sm" icon="swap" onClick={() => setOpen(true)}>
        {t('books.moveTitle')}
      </ChangeButton>
      {isOpen && <HouseTransferSheet onClose={() => setOpen(false)} />}
    </>
  );
}
