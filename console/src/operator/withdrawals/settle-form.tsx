/** Records that held money was paid out, all of it or a part. */
import { useState } from 'react';
import { Amount, amountText } from '../../components/amount.tsx';
import { TextInput } from '../../components/field.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { settleWithdrawal, type Withdrawal } from './queries.ts';

const REMARK_MAX = 500;

interface Props {
  readonly withdrawal: Withdrawal;
  readonly onClose: () => void;
}

export function SettleForm({ withdrawal: { id, remaining, currency }, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const keyOf = useRequestKeys();
  const [releasesRest, setReleasesRest] = useState(false);
  const submit = (form: HTMLFormElement): void => {
    const amount = fieldText(form, 'amount').trim();
    const remark = fieldText(form, 'remark').trim();
    const body = {
      ...(amount !== '' && { amount }),
      ...(releasesRest && { release_rest: true }),
      ...(remark !== '' && { remark }),
    };
    operation.run(async () => {
      await settleWithdrawal(id, body, keyOf(body));
      const paid = amountText(amount || remaining, currency);
      showToast(t('money.recordedPaid', { amount: paid }));
    }, onClose);
  };
  return (
    <FormSheet
      title={t('person.withdrawals.settleTitle', { id: String(id) })}
      onClose={onClose}
      submission={operation}
      submitLabel={t('person.withdrawals.settle')}
      onSubmit={submit}
    >
      <p>
        <Amount value={remaining} currency={currency} size="lg" digits="exact" />
      </p>
      <p>{t('person.withdrawals.settleLead')}</p>
      <TextInput
        name="amount"
        label={t('person.withdrawals.settleAmount')}
        description={t('person.withdrawals.settleAmountHint')}
        inputMode="decimal"
        autoComplete="off"
      />
      <Switch
        label={t('person.withdrawals.releaseRest')}
        description={t('person.withdrawals.releaseRestLead')}
        isOn={releasesRest}
        onChange={setReleasesRest}
      />
      <TextInput
        name="remark"
        label={t('money.remark')}
        maxLength={REMARK_MAX}
        autoComplete="off"
      />
    </FormSheet>
  );
}
