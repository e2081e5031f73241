import { useCurrencies } from '../api/currencies.ts';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import { Sheet } from '../components/sheet.tsx';
import { useTranslation } from '../i18n/index.ts';
import { businessText, counterpartyText, referenceText, rewardTypeText } from '../i18n/labels.ts';
import { networkText } from '../lib/network-text.ts';
import { ValuedAmount } from './approximate-value.tsx';
import { BillProof } from './bill-proof.tsx';
import { signedAmount } from './bill-values.ts';
import { DeviceName } from './device-name.tsx';
import { EventTime } from './event-time.tsx';
import type { Bill, Wallet } from './queries.ts';
import { timeKindOf } from './time-kind.ts';

/** The network of a deposit: its remark is the network's code. */
function useNetworkOf({ business_id, currency, remark = '' }: Bill): string | undefined {
  const currencies = useCurrencies();
  if (business_id !== 'deposit' && business_id !== 'deposit_reversal') return undefined;
  const name = currencies.data?.find(({ code }) => code === currency)?.network_names[remark];
  return name === undefined ? undefined : networkText(remark, name);
}

/** One bill in full. */
export function BillSheet({
  bill,
  wallet,
  onClose,
}: {
  readonly bill: Bill;
  readonly wallet: Wallet;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('wallets');
  const network = useNetworkOf(bill);
  return (
    <Sheet title={businessText(t, bill.business_id)} onClose={onClose}>
      <ValuedAmount
        digits="exact"
        value={signedAmount(bill)}
        currency={bill.currency}
        size="hero"
        isSigned
        wallet={wallet}
      />
      <Facts
        facts={[
          [
            t('balanceAfter'),
            <ValuedAmount
              key="after"
              value={bill.balance_after}
              currency={bill.currency}
              wallet={wallet}
            />,
          ],
          [t('rewardType'), bill.reward_type && rewardTypeText(t, bill.reward_type)],
          [t('proof.device'), bill.node_id && <DeviceName key="device" nodeId={bill.node_id} />],
          [t(timeKindOf(bill)), <EventTime key="event" bill={bill} />],
          [t('booked'), <DateTime key="created" iso={bill.created_at} />],
          [
            t(bill.amount_direction === 1 ? 'cameFrom' : 'wentTo'),
            bill.counterparty && counterpartyText(t, bill.counterparty),
          ],
          [t('reference'), bill.reference && referenceText(t, bill.reference)],
          network === undefined ? [t('remark'), bill.remark] : [t('deposits:network'), network],
          [t('billNumber'), String(bill.id)],
        ]}
      />
      {(bill.business_id === 'reward' || bill.business_id === 'referral_reward') && (
        <BillProof bill={bill} />
      )}
    </Sheet>
  );
}
