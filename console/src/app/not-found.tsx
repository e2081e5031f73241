import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Empty } from '../parts/layout.tsx';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Empty icon="search" title={t('notFound')} action={<Link to="/">{t('toHome')}</Link>}>
      {t('notFoundLead')}
    </Empty>
  );
}
