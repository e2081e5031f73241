/** Money of a person that is held until it is paid out or given back. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import frame from '../operator.module.css';
import { HoldForm } from './hold-form.tsx';
import { withdrawalsQuery } from './queries.ts';
import { WithdrawalList } from './withdrawal-list.tsx';
import { listHeldFirst } from './withdrawal-order.ts';

const ENDED_SHOWN = 10;

export function WithdrawalsSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const withdrawals = useQuery(withdrawalsQuery(userId));
  const [isHolding, setHolding] = useState(false);
  return (
    <Section
      title={t('person.withdrawals.title')}
      lead={t('person.withdrawals.lead')}
      actions={
        <ChangeButton
          scope="operator:withdrawals"
          variant="default"
          size="sm"
          onClick={() => setHolding(true)}
        >
          {t('person.withdrawals.hold')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={withdrawals} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <p className={frame.small}>{t('person.withdrawals.none')}</p>
          ) : (
            <WithdrawalList withdrawals={listHeldFirst(list, ENDED_SHOWN)} />
          )
        }
      </QueryBoundary>
      {isHolding && <HoldForm userId={userId} onClose={() => setHolding(false)} />}
    </Section>
  );
}
