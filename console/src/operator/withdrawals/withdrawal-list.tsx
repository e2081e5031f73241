/** Held withdrawals, with what ends them by hand. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Amount, amountText } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { toUnits } from '../../lib/money-text.ts';
import { ChangeButton, useReads } from '../allows.tsx';
import table from '../dense-table.module.css';
import frame from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { cancelWithdrawal, type Withdrawal } from './queries.ts';
import { SettleForm } from './settle-form.tsx';
import { payoutIdOf } from './withdrawal-order.ts';

const REASON_MAX = 500;

interface ConfirmProps {
  readonly withdrawal: Withdrawal;
  readonly onClose: () => void;
}

function ConfirmCancel({ withdrawal: { id, remaining, currency }, onClose }: ConfirmProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const keyOf = useRequestKeys();
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const cancel = (): void => {
    if (reason === '') operation.refuse({ reason: t('money.auditReasonNeeded') });
    else
      operation.run(async () => {
        await cancelWithdrawal(id, reason, keyOf(reason));
        const amount = amountText(remaining, currency);
        showToast(t('money.givenBack', { amount }));
      }, onClose);
  };
  return (
    <Confirm
      title={t('person.withdrawals.cancelTitle', { id: String(id) })}
      onClose={onClose}
      confirmLabel={t('person.withdrawals.cancel')}
      isDanger
      outcome={operation}
      onConfirm={cancel}
    >
      <p>
        <Amount value={remaining} currency={currency} size="lg" digits="exact" />
      </p>
      <p>{t('person.withdrawals.cancelLead')}</p>
      <TextInput
        name="reason"
        label={t('money.auditReason')}
        value={typed}
        maxLength={REASON_MAX}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Confirm>
  );
}

/** A payout ends its withdrawal itself: the way to where it is decided about. */
function PayoutLink({ id }: { readonly id: string }) {
  const { t } = useTranslation('operator');
  const reads = useReads();
  const name = t('payouts.sheet', { id });
  return (
    <span className={frame.small}>
      {t('person.withdrawals.ofPayout')}{' '}
      {reads('operator:payouts') ? (
        <Link to="/operator" search={{ view: 'payouts' }} className={table.link}>
          {name}
        </Link>
      ) : (
        name
      )}
    </span>
  );
}

/** What became of it, and when. */
function State({ withdrawal }: Pick<ConfirmProps, 'withdrawal'>) {
  const { t } = useTranslation('operator');
  const { status, settled, currency, created_at, updated_at, expires_at } = withdrawal;
  const isHeld = status === 'held';
  const isPartPaid = status !== 'settled' && toUnits(settled) !== 0n;
  return (
    <span className={frame.small}>
      {t(`person.withdrawals.state.${status}`)} ·{' '}
      <DateTime iso={isHeld ? created_at : updated_at} isShort />
      {isHeld && expires_at !== undefined && (
        <>
          {' '}
          · {t('person.withdrawals.until')} <DateTime iso={expires_at} isShort />
        </>
      )}
      {isPartPaid &&
        ` · ${t('person.withdrawals.paid', { amount: amountText(settled, currency) })}`}
    </span>
  );
}

interface ItemProps {
  readonly withdrawal: Withdrawal;
  readonly onCancel: () => void;
  readonly onSettle: () => void;
}

/** What ends it by hand. */
function Endings({ withdrawal, onCancel, onSettle }: ItemProps) {
  const { t } = useTranslation('operator');
  const id = String(withdrawal.id);
  const common = { scope: 'operator:withdrawals', variant: 'default', size: 'xs' } as const;
  return (
    <div className={frame.buttons}>
      <ChangeButton
        {...common}
        aria-label={t('person.withdrawals.settleName', { id })}
        onClick={onSettle}
      >
        {t('person.withdrawals.settle')}
      </ChangeButton>
      <ChangeButton
        {...common}
        aria-label={t('person.withdrawals.cancelName', { id })}
        onClick={onCancel}
      >
        {t('person.withdrawals.cancel')}
      </ChangeButton>
    </div>
  );
}

function WithdrawalItem({ withdrawal, ...endings }: ItemProps) {
  const { t } = useTranslation('operator');
  const { status, amount, remaining, currency, reference, remark } = withdrawal;
  const payoutId = payoutIdOf(reference);
  const held = status === 'held' ? remaining : amount;
  const words = [remark, payoutId === undefined ? reference : undefined].filter(Boolean);
  return (
    <li className={frame.item}>
      <span className={frame.text}>
        <span>
          <Amount value={held} currency={currency} size="sm" />{' '}
          <span className={frame.small}>
            {t('person.withdrawals.number', { id: String(withdrawal.id) })}
          </span>
        </span>
        <State withdrawal={withdrawal} />
        {words.length > 0 && <span className={frame.small}>{words.join(' · ')}</span>}
        {payoutId !== undefined && <PayoutLink id={payoutId} />}
      </span>
      {status === 'held' && payoutId === undefined && (
        <Endings withdrawal={withdrawal} {...endings} />
      )}
    </li>
  );
}

interface ListProps {
  readonly withdrawals: readonly Withdrawal[];
}

export function WithdrawalList({ withdrawals }: ListProps) {
  const { t } = useTranslation('operator');
  const [cancelled, setCancelled] = useState<Withdrawal>();
  const [paid, setPaid] = useState<Withdrawal>();
  return (
    <>
      <ul className={frame.list} aria-label={t('person.withdrawals.title')}>
        {withdrawals.map((withdrawal) => (
          <WithdrawalItem
            key={withdrawal.id}
            withdrawal={withdrawal}
            onCancel={() => setCancelled(withdrawal)}
            onSettle={() => setPaid(withdrawal)}
          />
        ))}
      </ul>
      {cancelled && (
        <ConfirmCancel withdrawal={cancelled} onClose={() => setCancelled(undefined)} />
      )}
      {paid && <SettleForm withdrawal={paid} onClose={() => setPaid(undefined)} />}
    </>
  );
}
