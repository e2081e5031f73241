/** One held withdrawal, with whose it is and what ends it. */
import { useQuery } from '@tanstack/react-query';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { FullPersonName } from '../person-name.tsx';
import { withdrawalQuery } from './queries.ts';
import { WithdrawalList } from './withdrawal-list.tsx';

interface Props {
  readonly id: number;
  readonly onClose: () => void;
}

export function WithdrawalSheet({ id, onClose }: Props) {
  const { t } = useTranslation('operator');
  const withdrawal = useQuery(withdrawalQuery(id));
  return (
    <Sheet title={t('holds.number', { id: String(id) })} onClose={onClose}>
      <QueryBoundary query={withdrawal} skeleton={<SkeletonLines count={2} />}>
        {(found) => (
          <>
            <FullPersonName userId={found.user_id} />
            <WithdrawalList withdrawals={[found]} />
          </>
        )}
      </QueryBoundary>
    </Sheet>
  );
}
