/** Corrects a balance by a transfer from or to the account of adjustments. */
import { useState } from 'react';
import { amountText } from '../../components/amount.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Available } from '../../wallets/available.tsx';
import { useNameOf } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { adjust, type Wallet } from './queries.ts';

const WALLET_REASON_MAX = 200;

type Order = Parameters<typeof adjust>[0];

function readOrder(form: HTMLFormElement, userId: number): Omit<Order, 'isCredit' | 'mayOverdraw'> {
  return {
    userId,
    wallet: fieldText(form, 'wallet'),
    currency: fieldText(form, 'currency'),
    amount: fieldText(form, 'amount'),
    reason: fieldText(form, 'reason').trim(),
  };
}

interface Props {
  readonly userId: number;
  readonly wallets: readonly Wallet[];
  readonly onClose: () => void;
}

interface Direction {
  readonly isCredit: boolean;
  readonly mayOverdraw: boolean;
}

interface FieldsProps extends Pick<Props, 'wallets'> {
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
}

/** What is available in the account that is chosen. */
function useAccount(wallets: Props['wallets']) {
  const currencies = [
    ...new Set(wallets.flatMap(({ balances }) => balances.map(({ currency }) => currency))),
  ];
  const [wallet, setWallet] = useState(wallets[0]?.wallet ?? '');
  const [currency, setCurrency] = useState(currencies[0] ?? '');
  const available = wallets
    .find((one) => one.wallet === wallet)
    ?.balances.find((one) => one.currency === currency)?.balance;
  return { currencies, wallet, setWallet, currency, setCurrency, available };
}

/** Which balance is changed, and by how much. */
function AccountFields({ wallets }: Pick<Props, 'wallets'>) {
  const { t } = useTranslation('operator');
  const { currencies, available, ...account } = useAccount(wallets);
  return (
    <>
      <Select
        name="wallet"
        label={t('person.wallet')}
        value={account.wallet}
        onChange={(event) => account.setWallet(event.currentTarget.value)}
        options={wallets.map(({ wallet }) => ({
          value: wallet,
          label: t.find('operator', `person.walletName.${wallet}`) ?? wallet,
        }))}
      />
      <Select
        name="currency"
        label={t('money.currency')}
        value={account.currency}
        onChange={(event) => account.setCurrency(event.currentTarget.value)}
        options={currencies.map((code) => ({ value: code, label: code }))}
      />
      <TextInput
        name="amount"
        label={t('money.amount')}
        description={
          available !== undefined && <Available balance={available} currency={account.currency} />
        }
        inputMode="decimal"
        required
        autoComplete="off"
      />
    </>
  );
}

function Fields({ wallets, direction, onDirection }: FieldsProps) {
  const { t } = useTranslation('operator');
  return (
    <>
      <Select
        name="direction"
        label={t('person.direction')}
        value={direction.isCredit ? 'credit' : 'debit'}
        onChange={(event) =>
          onDirection({ isCredit: event.currentTarget.value === 'credit', mayOverdraw: false })
        }
        options={[
          { value: 'credit', label: t('person.credit') },
          { value: 'debit', label: t('person.debit') },
        ]}
      />
      <AccountFields wallets={wallets} />
      {!direction.isCredit && (
        <Switch
          label={t('person.mayOverdraw')}
          description={t('person.mayOverdrawLead')}
          isOn={direction.mayOverdraw}
          onChange={(mayOverdraw) => onDirection({ ...direction, mayOverdraw })}
        />
      )}
      <TextInput
        name="reason"
        label={t('users.reason')}
        maxLength={WALLET_REASON_MAX}
        autoComplete="off"
      />
    </>
  );
}

export function AdjustForm({ userId, wallets, onClose }: Props) {
  const { t } = useTranslation('operator');
  const { name } = useNameOf(userId);
  const operation = useOperation();
  const keyOf = useRequestKeys();
  const [direction, setDirection] = useState<Direction>({ isCredit: true, mayOverdraw: false });
  const submit = (form: HTMLFormElement): void => {
    const order = { ...readOrder(form, userId), ...direction };
    if (order.reason === '') {
      operation.refuse({ reason: t('money.reasonNeeded') });
      return;
    }
    operation.run(async () => {
      await adjust(order, keyOf(order));
      showToast(t('person.adjusted', { amount: amountText(order.amount, order.currency) }));
    }, onClose);
  };
  return (
    <FormSheet
      title={t('person.adjustTitle', { name })}
      onClose={onClose}
      submission={operation}
      submitLabel={t('person.adjust')}
      onSubmit={submit}
    >
      <Fields wallets={wallets} direction={direction} onDirection={setDirection} />
    </FormSheet>
  );
}
