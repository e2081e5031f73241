import { useTranslation } from '../i18n/index.ts';
import { businessText, counterpartyText, rewardTypeText } from '../i18n/words.ts';
import { Amount } from '../parts/amount.tsx';
import { Facts } from '../parts/facts.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { When } from '../parts/when.tsx';
import { BillProof } from './bill-proof.tsx';
import { signedAmount } from './bill-row.tsx';
import type { Bill } from './queries.ts';

/** One bill in full. */
export function BillSheet({ bill, onClose }: { readonly bill: Bill; readonly onClose: () => void }) {
  const { t } = useTranslation('wallets');
  return (
    <Sheet title={businessText(t, bill.business_id)} onClose={onClose}>
      <Amount value={signedAmount(bill)} currency={bill.currency} size="hero" isSigned stacked="start" />
      <Facts
        facts={[
          [t('balanceAfter'), <Amount key="after" value={bill.balance_after} currency={bill.currency} />],
          [t('rewardType'), bill.reward_type && rewardTypeText(t, bill.reward_type)],
          [t(bill.reward_type === undefined ? 'happened' : 'earned'), <When key="event" iso={bill.event_at} />],
          [t('booked'), <When key="created" iso={bill.created_at} />],
          [t('counterparty'), bill.counterparty && counterpartyText(t, bill.counterparty)],
          [t('reference'), bill.reference],
          [t('remark'), bill.remark],
          [t('billNumber'), String(bill.id)],
        ]}
      />
      {(bill.business_id === 'reward' || bill.business_id === 'referral_reward') && <BillProof bill={bill} />}
    </Sheet>
  );
}
