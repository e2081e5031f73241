/** Asks for the reason of a reversal, and names what moves back, and whose it is. */
import { useState } from 'react';
import { amountText } from '../../components/amount.tsx';
import { TextInput } from '../../components/field.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { counterpartyText } from '../../i18n/labels.ts';
import { sentenceGapOf } from '../../i18n/sentences.ts';
import { useNameAndNumber } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { reverseTransfer, type Transfer, type TransferSide } from './queries.ts';

const REMARK_MAX = 500;

function SideName({ side: { user_id, house = '' } }: { readonly side: TransferSide }) {
  return user_id === undefined ? <HouseName code={house} /> : <Name userId={user_id} />;
}

function HouseName({ code }: { readonly code: string }) {
  const { t } = useTranslation('operator');
  return counterpartyText(t, code);
}

function Name({ userId }: { readonly userId: number }) {
  return useNameAndNumber(userId);
}

interface Props {
  readonly transfer: Transfer;
  readonly onClose: () => void;
}

export function ConfirmReversal({ transfer, onClose }: Props) {
  const { t, language } = useTranslation('operator');
  const operation = useOperation();
  const keyOf = useRequestKeys();
  const [reason, setReason] = useState('');
  const amount = amountText(transfer.amount, transfer.currency);
  const remark = reason.trim();
  const reverse = (): void => {
    if (remark === '') {
      operation.refuse({ reason: t('money.reasonNeeded') });
      return;
    }
    const { id } = transfer;
    operation.run(async () => {
      const { id: by } = await reverseTransfer(id, { remark, key: keyOf({ id, remark }) });
      showToast(t('transfers.reversed', { amount, id: by }));
    }, onClose);
  };
  return (
    <Confirm
      title={t('transfers.reverseTitle', { id: transfer.id })}
      onClose={onClose}
      confirmLabel={t('transfers.reverseAmount', { amount })}
      isDanger
      outcome={operation}
      onConfirm={reverse}
    >
      <p>
        {t('transfers.movesBack', { amount })}
        {sentenceGapOf(language)}
        <SideName side={transfer.credit} /> → <SideName side={transfer.debit} />
      </p>
      <p>{t('transfers.reverseLead')}</p>
      {transfer.other_half !== undefined && <p>{t('transfers.bothHalves')}</p>}
      <TextInput
        name="reason"
        label={t('money.reason')}
        value={reason}
        maxLength={REMARK_MAX}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}
