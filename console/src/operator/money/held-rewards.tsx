import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Amount, amountText } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton, HELD_REWARDS } from '../allows.tsx';
import classes from '../operator.module.css';
import { FullPersonName, PersonName, useNameOf } from '../person-name.tsx';
import rows from '../rows.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { type HeldReward, heldRewardsQuery, releaseHeld } from './queries.ts';

const REASON_MAX = 500;

const REASONS = { shared_address: 'sharedAddress', shared_key: 'sharedKey' } as const;

/** What is known of a reason, else its code. */
function useReasonText(): (code: string) => string {
  const { t } = useTranslation('operator');
  return (code) =>
    Object.hasOwn(REASONS, code) ? t(`money.${REASONS[code as keyof typeof REASONS]}`) : code;
}

function ConfirmRelease({
  held,
  onClose,
}: {
  readonly held: HeldReward;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('operator');
  const { name } = useNameOf(held.user_id);
  const currency = useRewardCurrency();
  const operation = useOperation();
  const [reason, setReason] = useState('');
  const release = (): void => {
    if (reason.trim() === '') operation.refuse({ reason: t('money.auditReasonNeeded') });
    else
      operation.run(async () => {
        await releaseHeld(held.user_id, reason.trim());
        showToast(t('money.heldReleased', { amount: amountText(held.amount, currency) }));
      }, onClose);
  };
  return (
    <Confirm
      title={t('money.releaseHeldTitle', { name })}
      onClose={onClose}
      confirmLabel={t('money.release')}
      outcome={operation}
      onConfirm={release}
    >
      <p>
        <Amount value={held.amount} currency={currency} size="lg" digits="exact" />
      </p>
      <p>
        <FullPersonName userId={held.user_id} />
      </p>
      <p>{t('money.releaseHeldLead')}</p>
      <TextInput
        name="reason"
        label={t('money.auditReason')}
        value={reason}
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}

interface ListProps {
  readonly records: readonly HeldReward[];
  readonly onOpen: (held: HeldReward) => void;
}

function HeldList({ records, onOpen }: ListProps) {
  const { t } = useTranslation('operator');
  const reasonText = useReasonText();
  const currency = useRewardCurrency();
  return (
    <ul className={classes.list}>
      {records.map((entry) => (
        <li key={entry.user_id} className={classes.item}>
          <span className={classes.text}>
            <Amount value={entry.amount} currency={currency} />
            <span className={classes.small}>
              <PersonName userId={entry.user_id} /> · {reasonText(entry.reason)} ·{' '}
              <DateTime iso={entry.held_at} isShort />
            </span>
          </span>
          <ChangeButton
            scope={HELD_REWARDS}
            variant="default"
            size="xs"
            onClick={() => onOpen(entry)}
          >
            {t('money.release')}
          </ChangeButton>
        </li>
      ))}
    </ul>
  );
}

/** Referral rewards that are held, with the reason. */
export function HeldRewards() {
  const { t } = useTranslation('operator');
  const held = useInfiniteQuery(heldRewardsQuery);
  const [opened, setOpened] = useState<HeldReward>();
  const list = held.data?.pages.flatMap(({ records }) => records) ?? [];
  return (
    <Section title={t('money.held')} lead={t('money.heldLead')}>
      <QueryBoundary query={held} skeleton={<SkeletonLines count={2} />}>
        {() =>
          list.length === 0 ? (
            <EmptyState icon="check" title={t('money.noHeld')} />
          ) : (
            <>
              <HeldList records={list} onOpen={setOpened} />
              <div className={rows.more}>
                {held.hasNextPage && <MoreButton query={held} label={t('payouts.more')} />}
              </div>
            </>
          )
        }
      </QueryBoundary>
      {opened && <ConfirmRelease held={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}
