import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { GroupedAddress } from '../../components/grouped-address.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { networkText } from '../../lib/network-text.ts';
import { Allowed } from '../allows.tsx';
import { FullPersonName } from '../person-name.tsx';
import { ConfirmEnding, type Ending } from './confirm-ending.tsx';
import { Decisions } from './decisions.tsx';
import type { ReviewedPayout } from './queries.ts';
import { useReasonsText } from './reasons-text.ts';
import {
  approversOf,
  MismatchDecision,
  ReviewDecision,
  SignedDecision,
} from './review-decision.tsx';

interface Props {
  readonly payout: ReviewedPayout;
  readonly onClose: () => void;
}

function ReviewFacts({ payout }: Pick<Props, 'payout'>) {
  const { t } = useTranslation('operator');
  const reasonsText = useReasonsText();
  const { currency, sanctions, chain_id, contract } = payout;
  const approvals = approversOf(payout).length;
  return (
    <Facts
      facts={[
        [t('payouts.to'), <GroupedAddress key="to" address={payout.address} />],
        [t('payouts.network'), networkText(payout.network, payout.network_name)],
        [t('payouts.chainId'), chain_id !== undefined && String(chain_id)],
        [t('payouts.contract'), contract !== undefined && <GroupedAddress address={contract} />],
        [t('payouts.person'), <FullPersonName key="person" userId={payout.user_id} />],
        [
          t('payouts.leaves'),
          <Amount key="amount" value={payout.amount} currency={currency} digits="exact" />,
        ],
        [
          t('payouts.fee'),
          <Amount key="fee" value={payout.fee} currency={currency} digits="exact" />,
        ],
        [t('payouts.requestedAt'), <DateTime key="at" iso={payout.requested_at} />],
        [t('payouts.reasons'), reasonsText(payout)],
        [
          t('payouts.approvals'),
          payout.approvals_needed > 0 &&
            t('payouts.approvalsOf', { done: approvals, needed: payout.approvals_needed }),
        ],
        [
          t('payouts.sanctions'),
          sanctions &&
            t(sanctions.is_allowed ? 'payouts.sanctionsAllowed' : 'payouts.sanctionsDenied'),
        ],
        [t('payouts.hash'), <code key="hash">{payout.document_hash}</code>],
      ]}
    />
  );
}

/** All that speaks for and against a payout; in review, an operator decides. */
export function ReviewContent({ payout, onClose }: Props) {
  const [ending, setEnding] = useState<Ending>();
  const { status } = payout;
  return (
    <>
      <Amount value={payout.arrives} currency={payout.currency} size="hero" digits="exact" />
      <ReviewFacts payout={payout} />
      <Decisions payout={payout} />
      <Allowed scope="operator:payouts">
        {status === 'in_review' && <ReviewDecision payout={payout} onEnd={setEnding} />}
        {status === 'signed' && <SignedDecision onEnd={setEnding} />}
        {payout.reason_code === 'transaction_mismatch' && <MismatchDecision onEnd={setEnding} />}
      </Allowed>
      {ending && (
        <ConfirmEnding
          payout={payout}
          ending={ending}
          onClose={() => {
            setEnding(undefined);
            onClose();
          }}
        />
      )}
    </>
  );
}

/** A payout in a sheet. */
export function PayoutReview({ payout, onClose }: Props) {
  const { t } = useTranslation('operator');
  return (
    <Sheet title={t('payouts.sheet', { id: String(payout.id) })} onClose={onClose}>
      <ReviewContent payout={payout} onClose={onClose} />
    </Sheet>
  );
}
