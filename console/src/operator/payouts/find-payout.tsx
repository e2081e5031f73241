/** A payout by its number, whatever its status is. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { whenNothingIsOpen } from '../../hooks/use-close-on-back.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FindNumber } from '../find-number.tsx';
import { ReviewContent } from './payout-review.tsx';
import { payoutQuery } from './queries.ts';

interface FoundProps {
  readonly id: string;
  readonly onClose: () => void;
}

function FoundPayout({ id, onClose }: FoundProps) {
  const { t } = useTranslation('operator');
  const payout = useQuery(payoutQuery(Number(id)));
  return (
    <Sheet title={t('payouts.sheet', { id })} onClose={onClose}>
      <QueryBoundary query={payout} skeleton={<SkeletonLines count={6} />}>
        {(data) => <ReviewContent payout={data} onClose={onClose} />}
      </QueryBoundary>
    </Sheet>
  );
}

/** The address may name the payout that is open first. */
function Find({ first }: { readonly first: string | undefined }) {
  const { t } = useTranslation('operator');
  const change = useFilterChange<{ readonly payout?: string | undefined }>();
  const [found, setFound] = useState(first);
  const close = (): void => {
    setFound(undefined);
    if (first !== undefined) whenNothingIsOpen(() => change({ payout: undefined }));
  };
  return (
    <>
      <FindNumber label={t('payouts.find')} focusKey="/" onFind={setFound} />
      {found !== undefined && <FoundPayout key={found} id={found} onClose={close} />}
    </>
  );
}

export function FindPayout() {
  const { payout } = useSearch({ from: '/operator' });
  return <Find key={payout ?? 'none'} first={payout} />;
}
