/** Sets money of a person aside, until it is recorded as paid or given back. */
import { useCurrencies } from '../../api/currencies.ts';
import { amountText } from '../../components/amount.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { holdWithdrawal, type WithdrawalOrder } from './queries.ts';

const REFERENCE_MAX = 256;
const REMARK_MAX = 500;

const DAYS_MAX = 365;
const DAY_S = 86_400;

function readOrder(form: HTMLFormElement, userId: number): WithdrawalOrder {
  const days = fieldText(form, 'expires_in_s').trim();
  const [reference, remark] = [fieldText(form, 'reference'), fieldText(form, 'remark').trim()];
  return {
    user_id: userId,
    currency: fieldText(form, 'currency'),
    amount: fieldText(form, 'amount').trim(),
    ...(days !== '' && { expires_in_s: Number(days) * DAY_S }),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
    remark,
  };
}

interface Props {
  readonly userId: number;
  readonly onClose: () => void;
}

export function HoldForm({ userId, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const currencies = useCurrencies();
  const keyOf = useRequestKeys();
  const submit = (form: HTMLFormElement): void => {
    const order = readOrder(form, userId);
    operation.run(async () => {
      const { amount, currency } = await holdWithdrawal(order, keyOf(order));
      showToast(t('person.withdrawals.wasHeld', { amount: amountText(amount, currency) }));
    }, onClose);
  };
  return (
    <FormSheet
      title={t('person.withdrawals.hold')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('person.withdrawals.hold')}
      onSubmit={submit}
    >
      <p>{t('person.withdrawals.holdLead')}</p>
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
        options={(currencies.data ?? []).map(({ code }) => ({ value: code, label: code }))}
      />
      <TextInput
        name="expires_in_s"
        label={t('person.withdrawals.days')}
        description={t('person.withdrawals.daysHint')}
        type="number"
        min={1}
        max={DAYS_MAX}
        step={1}
        autoComplete="off"
      />
      <TextInput
        name="reference"
        label={t('person.withdrawals.reference')}
        description={t('person.withdrawals.referenceHint')}
        maxLength={REFERENCE_MAX}
        autoComplete="off"
      />
      <TextInput
        name="remark"
        label={t('money.remark')}
        maxLength={REMARK_MAX}
        required
        autoComplete="off"
      />
    </FormSheet>
  );
}
