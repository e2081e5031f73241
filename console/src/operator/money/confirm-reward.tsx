/** Names who is paid what and why, before it is paid. */
import { Amount, amountText } from '../../components/amount.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { rewardTypeText } from '../../i18n/labels.ts';
import { FullPersonName, useNameAndNumber } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { payReward, type RewardOrder } from './queries.ts';

interface Props {
  readonly order: RewardOrder;
  /** Sent twice, it pays once. */
  readonly requestKey: string;
  readonly onClose: () => void;
  readonly onPaid: () => void;
}

export function ConfirmReward({ order, requestKey, onClose, onPaid }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const { user_id: userId, currency, reward_type: type, remark } = order;
  const name = useNameAndNumber(userId);
  const amount = amountText(String(order.amount), currency);
  const pay = (): void =>
    operation.run(async () => {
      await payReward(order, requestKey);
      showToast(t('money.paid', { amount, name }));
    }, onPaid);
  return (
    <Confirm
      title={t('money.payTitle', { amount, name })}
      onClose={onClose}
      confirmLabel={t('money.payAmount', { amount })}
      outcome={operation}
      onConfirm={pay}
    >
      <Facts
        facts={[
          [t('payouts.person'), <FullPersonName key="person" userId={userId} />],
          [
            t('money.amount'),
            <Amount key="amount" value={String(order.amount)} currency={currency} digits="exact" />,
          ],
          [t('money.rewardType'), rewardTypeText(t, type)],
          [t('money.remark'), remark],
        ]}
      />
      <p>{t('money.payLead')}</p>
    </Confirm>
  );
}
