import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { ConfirmationMeter } from '../components/confirmation-meter.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import form from '../components/form.module.css';
import { Failure } from '../components/form.tsx';
import { GroupedAddress } from '../components/grouped-address.tsx';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { TransactionHash } from '../components/transaction-hash.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { businessText, payoutReasonText, payoutStatusText } from '../i18n/labels.ts';
import { networkText } from '../lib/network-text.ts';
import { ValuedAmount } from '../wallets/approximate-value.tsx';
import { cancelPayout, type Payout } from './queries.ts';

const CANCELLABLE = ['requested', 'in_review', 'approved'];

function PayoutFacts({ payout }: { readonly payout: Payout }) {
  const { t } = useTranslation('withdraw');
  const { currency } = payout;
  const page = payout.explorer_url;
  return (
    <Facts
      facts={[
        [t('deposits:reasonGiven'), payout.reason],
        [
          t('leaves'),
          <ValuedAmount key="a" value={payout.amount} currency={currency} digits="exact" />,
        ],
        [
          t('fee'),
          <ValuedAmount key="fee" value={payout.fee} currency={currency} digits="exact" />,
        ],
        [t('network'), networkText(payout.network, payout.network_name)],
        [t('to'), payout.address_label],
        [t('address'), <GroupedAddress key="address" address={payout.address} />],
        [
          t('confirmations'),
          payout.confirmations > 0 && (
            <ConfirmationMeter
              key="meter"
              done={payout.confirmations}
              needed={payout.required_confirmations}
            />
          ),
        ],
        [t('requestedAt'), <DateTime key="at" iso={payout.requested_at} />],
        [t('sentAt'), payout.sent_at && <DateTime iso={payout.sent_at} />],
        [t('confirmedAt'), payout.confirmed_at && <DateTime iso={payout.confirmed_at} />],
        [t('transaction'), payout.tx_hash && <TransactionHash hash={payout.tx_hash} />],
        [
          t('explorer'),
          page?.startsWith('https://') === true && (
            <a href={page} target="_blank" rel="noreferrer noopener">
              {new URL(page).host}
            </a>
          ),
        ],
      ]}
    />
  );
}

/** A payout in full, which its user can cancel until it is signed. */
export function PayoutSheet({
  payout,
  onClose,
}: {
  readonly payout: Payout;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('withdraw');
  const client = useQueryClient();
  const submission = useSubmission();
  const cancel = (): void => {
    const key = crypto.randomUUID();
    submission.submit(async () => {
      await cancelPayout(payout.id, key);
      await client.invalidateQueries();
    });
  };
  return (
    <Sheet
      title={`${businessText(t, 'withdrawal')} · ${payoutStatusText(t, payout.status)}`}
      onClose={onClose}
    >
      <ValuedAmount digits="exact" value={payout.arrives} currency={payout.currency} size="hero" />
      <Text isSmall isDimmed>
        {payoutReasonText(t, payout.reason_code)}
      </Text>
      <PayoutFacts payout={payout} />
      {CANCELLABLE.includes(payout.status) && (
        <div className={form.form}>
          <Failure>{submission.message}</Failure>
          <Button variant="default" isBusy={submission.isPending} onClick={cancel}>
            {t('cancel')}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
