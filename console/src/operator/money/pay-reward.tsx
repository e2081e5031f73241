import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { RewardSheet } from './reward-sheet.tsx';

/** A reward that no rule pays. */
export function PayReward() {
  const { t } = useTranslation('operator');
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={t('money.rewards')}
      lead={t('money.rewardsLead')}
      actions={
        <Button size="sm" icon="gift" onClick={() => setOpen(true)}>
          {t('money.payReward')}
        </Button>
      }
    >
      {isOpen && <RewardSheet onClose={() => setOpen(false)} />}
    </Section>
  );
}
