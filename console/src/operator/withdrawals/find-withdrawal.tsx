/** A held withdrawal by its number, whatever its status is; and those that are held still. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { FindNumber } from '../find-number.tsx';
import { PersonName } from '../person-name.tsx';
import { OpenHolds } from './open-holds.tsx';
import { withdrawalQuery } from './queries.ts';
import { WithdrawalList } from './withdrawal-list.tsx';

function FoundWithdrawal({ id }: { readonly id: string }) {
  const withdrawal = useQuery(withdrawalQuery(Number(id)));
  return (
    <QueryBoundary query={withdrawal} skeleton={<SkeletonLines count={2} />}>
      {(found) => (
        <>
          <PersonName userId={found.user_id} />
          <WithdrawalList withdrawals={[found]} />
        </>
      )}
    </QueryBoundary>
  );
}

export function FindWithdrawal() {
  const { t } = useTranslation('operator');
  const [id, setId] = useState<string>();
  return (
    <Section title={t('person.withdrawals.title')} lead={t('person.withdrawals.lead')}>
      <FindNumber label={t('person.withdrawals.find')} onFind={setId} />
      {id !== undefined && <FoundWithdrawal key={id} id={id} />}
      <OpenHolds />
    </Section>
  );
}
