import { Link } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.ts';
import { Empty } from '../parts/layout.tsx';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Empty icon="search" title={t('notFound')} action={<Link to="/">{t('toHome')}</Link>}>
      {t('notFoundLead')}
    </Empty>
  );
}
