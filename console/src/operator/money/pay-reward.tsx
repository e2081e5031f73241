import { useState } from 'react';
import { useCurrencies, useRewardCurrency } from '../../api/currencies.ts';
import { amountText } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Section } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { rewardTypeText } from '../../i18n/labels.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { PAID_BY_HAND } from './paid-by-hand.ts';
import { payReward } from './queries.ts';

function RewardForm({ onPaid }: { readonly onPaid: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const currencies = useCurrencies();
  const rewardCurrency = useRewardCurrency();
  const keyOf = useRequestKeys();
  const submit = (form: HTMLFormElement): void => {
    const userId = Number(fieldText(form, 'user_id'));
    if (!Number.isSafeInteger(userId) || userId < 1) {
      operation.refuse({ user_id: t('money.personInvalid') });
      return;
    }
    const [amount, currency] = [fieldText(form, 'amount'), fieldText(form, 'currency')];
    const remark = fieldText(form, 'remark');
    const order = {
      user_id: userId,
      currency,
      amount,
      reward_type: fieldText(form, 'reward_type'),
      ...(remark !== '' && { remark }),
    };
    operation.run(async () => {
      await payReward(order, keyOf(order));
      showToast(t('money.paid', { amount: amountText(amount, currency), id: String(userId) }));
    }, onPaid);
  };
  return (
    <Form submission={operation} submitLabel={t('money.pay')} onSubmit={submit}>
      <TextInput
        name="user_id"
        label={t('money.person')}
        inputMode="numeric"
        required
        autoComplete="off"
      />
      <TextInput
        name="amount"
        label={t('money.amount')}
        inputMode="decimal"
        required
        autoComplete="off"
      />
      <Select
        name="currency"
        label={t('money.currency')}
        defaultValue={rewardCurrency}
        options={(currencies.data ?? []).map(({ code }) => ({ value: code, label: code }))}
      />
      <Select
        name="reward_type"
        label={t('money.rewardType')}
        options={PAID_BY_HAND.map((type) => ({ value: type, label: rewardTypeText(t, type) }))}
      />
      <TextInput name="remark" label={t('money.remark')} maxLength={200} autoComplete="off" />
    </Form>
  );
}

/** A reward that no rule pays. */
export function PayReward() {
  const { t } = useTranslation('operator');
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <Section
      title={t('money.rewards')}
      lead={t('money.rewardsLead')}
      actions={
        <Button size="sm" icon="gift" onClick={() => setOpen(true)}>
          {t('money.payReward')}
        </Button>
      }
    >
      {isOpen && (
        <Sheet title={t('money.payReward')} onClose={close}>
          <RewardForm onPaid={close} />
        </Sheet>
      )}
    </Section>
  );
}
