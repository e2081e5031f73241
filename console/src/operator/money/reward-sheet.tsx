/** What a reward by hand is made of; it is paid once the person is named and confirmed. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrencies, useRewardCurrency } from '../../api/currencies.ts';
import { Select, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { fieldText, useSubmission } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { rewardTypeText } from '../../i18n/labels.ts';
import { toUnits } from '../../lib/money-text.ts';
import { readNumber } from '../../lib/search-params.ts';
import { useReads } from '../allows.tsx';
import { nameQuery } from '../name-query.ts';
import { FullPersonName } from '../person-name.tsx';
import { useRequestKeys } from '../use-request-keys.ts';
import { ConfirmReward } from './confirm-reward.tsx';
import { PAID_BY_HAND } from './paid-by-hand.ts';
import type { RewardOrder } from './queries.ts';

const REMARK_MAX = 200;

interface FieldsProps {
  /** Known already; absent: it is asked for. */
  readonly userId: number | undefined;
}

function Fields({ userId }: FieldsProps) {
  const { t } = useTranslation('operator');
  const currencies = useCurrencies();
  const rewardCurrency = useRewardCurrency();
  return (
    <>
      {userId === undefined ? (
        <TextInput
          name="user_id"
          label={t('money.person')}
          inputMode="numeric"
          required
          autoComplete="off"
        />
      ) : (
        <p>
          <FullPersonName userId={userId} />
        </p>
      )}
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
      <TextInput
        name="remark"
        label={t('money.remark')}
        maxLength={REMARK_MAX}
        required
        autoComplete="off"
      />
    </>
  );
}

/** Whether a user has a number: an operator who may not read people does not know. */
function useMayExist(): (userId: number) => Promise<boolean> {
  const client = useQueryClient();
  const reads = useReads();
  return async (userId) =>
    !reads('operator:users') || (await client.fetchQuery(nameQuery(userId))) !== null;
}

const isAmount = (text: string): boolean => /^\d+(\.\d+)?$/.test(text) && toUnits(text) > 0n;

function readOrder(
  form: HTMLFormElement,
  userId: number,
): RewardOrder & { readonly amount: string } {
  return {
    user_id: userId,
    currency: fieldText(form, 'currency'),
    amount: fieldText(form, 'amount'),
    reward_type: fieldText(form, 'reward_type'),
    remark: fieldText(form, 'remark'),
  };
}

/** Checks what is filled in, and who it is for. */
function useOrder(userId: number | undefined) {
  const { t } = useTranslation('operator');
  const submission = useSubmission();
  const mayExist = useMayExist();
  const [order, setOrder] = useState<RewardOrder>();
  const check = (form: HTMLFormElement): void => {
    const id = userId ?? Number(readNumber(fieldText(form, 'user_id').replace(/^#/, '')));
    const read = readOrder(form, id);
    if (!Number.isSafeInteger(id)) submission.refuse({ user_id: t('money.personInvalid') });
    else if (!isAmount(read.amount)) submission.refuse({ amount: t('wallets:amountInvalid') });
    else
      submission.submit(async () => {
        if (await mayExist(id)) setOrder(read);
        else submission.refuse({ user_id: t('money.noPerson') });
      });
  };
  return { submission, order, check, takeBack: () => setOrder(undefined) };
}

interface Props {
  readonly userId?: number;
  readonly onClose: () => void;
}

/** @param props.userId who is paid; absent: asked for by number */
export function RewardSheet({ userId, onClose }: Props) {
  const { t } = useTranslation('operator');
  const { submission, order, check, takeBack } = useOrder(userId);
  const keyOf = useRequestKeys();
  return (
    <Sheet title={t('money.payReward')} onClose={onClose}>
      <Form submission={submission} submitLabel={t('money.toConfirm')} onSubmit={check}>
        <Fields userId={userId} />
      </Form>
      {order && (
        <ConfirmReward
          order={order}
          requestKey={keyOf(order)}
          onClose={takeBack}
          onPaid={onClose}
        />
      )}
    </Sheet>
  );
}
