/** In place of the form, while it could send nothing. */
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { useTranslation } from '../i18n/index.ts';

/** There is no money. */
export function NothingToWithdraw() {
  const { t } = useTranslation('withdraw');
  return (
    <EmptyState
      icon="arrowUp"
      title={t('nothing')}
      action={<NavButton to="/deposits">{t('wallets:deposit')}</NavButton>}
    >
      {t('nothingLead')}
    </EmptyState>
  );
}

/** There is money, but no network that it could leave over. */
export function NotOpen() {
  const { t } = useTranslation('withdraw');
  return (
    <EmptyState icon="arrowUp" title={t('notOpen')}>
      {t('notOpenLead')}
    </EmptyState>
  );
}

/** What there is has to be converted before. */
export function OnlyRewards({ onConvert }: { readonly onConvert: () => void }) {
  const { t } = useTranslation('withdraw');
  return (
    <EmptyState
      icon="swap"
      title={t('onlyRewards')}
      action={<Button onClick={onConvert}>{t('wallets:convert')}</Button>}
    >
      {t('onlyRewardsLead')}
    </EmptyState>
  );
}
