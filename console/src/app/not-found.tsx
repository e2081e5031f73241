import { useTranslation } from '../i18n/index.ts';
import { Empty } from '../parts/layout.tsx';
import { NavButton } from '../parts/nav-button.tsx';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Empty icon="search" title={t('notFound')} action={<NavButton to="/">{t('toHome')}</NavButton>}>
      {t('notFoundLead')}
    </Empty>
  );
}
