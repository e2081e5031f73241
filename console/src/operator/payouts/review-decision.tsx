/** What an operator decides about a payout, always in sight below what it is about. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMe } from '../../api/me.ts';
import { isProblem } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/form.tsx';
import { SheetButtons, SheetFooter } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { SignedMismatch } from '../../lib/signed-payout.ts';
import classes from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import type { Ending } from './confirm-ending.tsx';
import { approvePayout, approverKeysQuery, type ReviewedPayout } from './queries.ts';

/** Who has approved the document that a payout has now: what is approved before counts no more. */
export function approversOf({ decisions, document_hash: hash }: ReviewedPayout): string[] {
  return decisions
    .filter(({ decision, details }) => decision === 'approved' && details.document_hash === hash)
    .map(({ decided_by }) => decided_by);
}

interface Props {
  readonly payout: ReviewedPayout;
  readonly onEnd: (ending: Ending) => void;
}

type Hindrance = 'ownPayout' | 'approvedByYou' | 'noPasskey';

/** Why this operator cannot approve it; undefined: nothing is known of. */
function useHindrance(payout: ReviewedPayout): Hindrance | undefined {
  const me = useMe().data?.user_id;
  const keys = useQuery(approverKeysQuery).data;
  if (payout.user_id === me) return 'ownPayout';
  if (approversOf(payout).includes(`user:${me}`)) return 'approvedByYou';
  return keys?.length === 0 ? 'noPasskey' : undefined;
}

/** Approves with the passkey of the operator, or rejects. */
export function ReviewDecision({ payout, onEnd }: Props) {
  const { t } = useTranslation('operator');
  const { message, isPending, setMessage, run } = useOperation();
  const hindrance = useHindrance(payout);
  const approve = async (): Promise<void> => {
    try {
      await approvePayout(payout);
      showToast(t('payouts.approved', { id: String(payout.id) }));
    } catch (error) {
      if (isProblem(error)) throw error;
      // The document is not what is shown, the prompt was closed, or no passkey is here.
      const isOther = error instanceof SignedMismatch;
      setMessage(t(isOther ? 'payouts.documentMismatch' : 'signIn:factor.passkeyFailed'));
    }
  };
  return (
    <SheetFooter>
      {hindrance === undefined ? (
        <Text isSmall isDimmed>
          {t('payouts.approveLead')}
        </Text>
      ) : (
        <p className={classes.small}>
          {t(`payouts.${hindrance}`)}
          {hindrance === 'noPasskey' && (
            <>
              {' '}
              <Link to="/security">{t('payouts.toSecurity')}</Link>
            </>
          )}
        </p>
      )}
      <Failure>{message}</Failure>
      <SheetButtons>
        <Button variant="default" onClick={() => onEnd('reject')}>
          {t('payouts.reject')}
        </Button>
        <Button
          icon="key"
          disabled={hindrance !== undefined}
          isBusy={isPending}
          onClick={() => run(approve)}
        >
          {t('payouts.approve')}
        </Button>
      </SheetButtons>
    </SheetFooter>
  );
}

/** The transaction on the chain is not the one that was signed: an operator says what it was. */
export function MismatchDecision({ onEnd }: Omit<Props, 'payout'>) {
  const { t } = useTranslation('operator');
  return (
    <SheetFooter>
      <Text isSmall isDimmed>
        {t('payouts.mismatchLead')}
      </Text>
      <SheetButtons>
        <Button variant="default" onClick={() => onEnd('refund')}>
          {t('payouts.refund')}
        </Button>
        <Button onClick={() => onEnd('accept')}>{t('payouts.accept')}</Button>
      </SheetButtons>
    </SheetFooter>
  );
}

/** A signer has it, and may have lost its state. */
export function SignedDecision({ onEnd }: Omit<Props, 'payout'>) {
  const { t } = useTranslation('operator');
  return (
    <SheetFooter>
      <SheetButtons>
        <Button variant="default" onClick={() => onEnd('release')}>
          {t('payouts.release')}
        </Button>
      </SheetButtons>
    </SheetFooter>
  );
}
