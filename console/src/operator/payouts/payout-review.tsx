import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { TextInput } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { Failure } from '../../components/form.tsx';
import { GroupedAddress } from '../../components/grouped-address.tsx';
import { Confirm, Sheet, SheetButtons } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { networkText } from '../../lib/network-text.ts';
import { SignedMismatch } from '../../lib/signed-payout.ts';
import { Allowed } from '../allows.tsx';
import classes from '../operator.module.css';
import { FullPersonName } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { Decisions } from './decisions.tsx';
import {
  approvePayout,
  approverKeysQuery,
  decideMismatch,
  type ReviewedPayout,
  rejectPayout,
  releasePayout,
} from './queries.ts';
import { useReasonsText } from './reasons-text.ts';

interface Props {
  readonly payout: ReviewedPayout;
  readonly onClose: () => void;
}

function ReviewFacts({ payout }: Pick<Props, 'payout'>) {
  const { t } = useTranslation('operator');
  const reasonsText = useReasonsText();
  const { currency, sanctions, chain_id, contract } = payout;
  const approvals = payout.decisions.filter(
    ({ decision, details }) =>
      decision === 'approved' && details.document_hash === payout.document_hash,
  ).length;
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

const ENDINGS = {
  reject: rejectPayout,
  release: releasePayout,
  accept: decideMismatch('confirmed'),
  refund: decideMismatch('failed'),
} as const;
type Ending = keyof typeof ENDINGS;

/** Asks for the remark of a decision. */
function ConfirmEnding({ payout, ending, onClose }: Props & { readonly ending: Ending }) {
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

/** The transaction on the chain is not the one that was signed: an operator says what it was. */
function MismatchDecision({ onEnd }: { readonly onEnd: (ending: Ending) => void }) {
  const { t } = useTranslation('operator');
  return (
    <div className={form.form}>
      <Text isSmall isDimmed>
        {t('payouts.mismatchLead')}
      </Text>
      <SheetButtons>
        <Button variant="default" onClick={() => onEnd('refund')}>
          {t('payouts.refund')}
        </Button>
        <Button onClick={() => onEnd('accept')}>{t('payouts.accept')}</Button>
      </SheetButtons>
    </div>
  );
}

interface DecisionProps {
  readonly payout: ReviewedPayout;
  readonly onEnd: (ending: Ending) => void;
}

/** Approves with the passkey of the operator, or rejects. */
function ReviewDecision({ payout, onEnd }: DecisionProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const hasNoPasskey = useQuery(approverKeysQuery).data?.length === 0;
  const approve = async (): Promise<void> => {
    try {
      await approvePayout(payout);
      showToast(t('payouts.approved', { id: String(payout.id) }));
    } catch (error) {
      if (isProblem(error)) throw error;
      // The document is not what is shown, the prompt was closed, or no passkey is here.
      const isOther = error instanceof SignedMismatch;
      operation.setMessage(t(isOther ? 'payouts.documentMismatch' : 'signIn:factor.passkeyFailed'));
    }
  };
  return (
    <div className={form.form}>
      <Text isSmall isDimmed>
        {t('payouts.approveLead')}
      </Text>
      {hasNoPasskey && (
        <p className={classes.small}>
          {t('payouts.noPasskey')} <Link to="/security">{t('payouts.toSecurity')}</Link>
        </p>
      )}
      <Failure>{operation.message}</Failure>
      <SheetButtons>
        <Button variant="default" onClick={() => onEnd('reject')}>
          {t('payouts.reject')}
        </Button>
        <Button
          icon="key"
          disabled={hasNoPasskey}
          isBusy={operation.isPending}
          onClick={() => operation.run(approve)}
        >
          {t('payouts.approve')}
        </Button>
      </SheetButtons>
    </div>
  );
}

/** All that speaks for and against a payout; in review, an operator decides. */
export function ReviewContent({ payout, onClose }: Props) {
  const { t } = useTranslation('operator');
  const [ending, setEnding] = useState<Ending>();
  const { status } = payout;
  return (
    <>
      <Amount value={payout.arrives} currency={payout.currency} size="hero" digits="exact" />
      <ReviewFacts payout={payout} />
      <Decisions payout={payout} />
      <Allowed scope="operator:payouts">
        {status === 'in_review' && <ReviewDecision payout={payout} onEnd={setEnding} />}
        {status === 'signed' && (
          <div className={form.form}>
            <Button variant="default" onClick={() => setEnding('release')}>
              {t('payouts.release')}
            </Button>
          </div>
        )}
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
