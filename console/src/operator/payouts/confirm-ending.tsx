/** Asks for the remark of a decision about a payout. */
import { useState } from 'react';
import { TextInput } from '../../components/field.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { decideMismatch, type ReviewedPayout, rejectPayout, releasePayout } from './queries.ts';

const ENDINGS = {
  reject: rejectPayout,
  release: releasePayout,
  accept: decideMismatch('confirmed'),
  refund: decideMismatch('failed'),
} as const;
export type Ending = keyof typeof ENDINGS;

interface Props {
  readonly payout: ReviewedPayout;
  readonly ending: Ending;
  readonly onClose: () => void;
}

export function ConfirmEnding({ payout, ending, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [remark, setRemark] = useState('');
  const [reason, setReason] = useState('');
  const end = (): void => {
    if (remark.trim() === '') operation.refuse({ remark: t('payouts.remarkNeeded') });
    else operation.run(() => ENDINGS[ending](payout.id, remark.trim(), reason.trim()), onClose);
  };
  return (
    <Confirm
      title={t(`payouts.${ending}Title`, { id: String(payout.id) })}
      onClose={onClose}
      confirmLabel={t(`payouts.${ending}`)}
      isDanger
      outcome={operation}
      onConfirm={end}
    >
      <p>{t(`payouts.${ending}Lead`)}</p>
      {ending === 'reject' && (
        <TextInput
          name="reason"
          label={t('payouts.reasonForOwner')}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <TextInput
        name="remark"
        label={t('payouts.remark')}
        value={remark}
        maxLength={500}
        onChange={(event) => setRemark(event.currentTarget.value)}
      />
    </Confirm>
  );
}
