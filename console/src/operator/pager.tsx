/** Page after page, where a list has numbered ones. */
import { Button } from '../components/button.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './dense-table.module.css';

interface Props {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, pages, onPage }: Props) {
  const { t } = useTranslation('operator');
  if (pages <= 1) return null;
  return (
    <div className={classes.pager}>
      <Button variant="default" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('person.newer')}
      </Button>
      <span role="status">{t('person.page', { page, pages })}</span>
      <Button variant="default" size="sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('person.older')}
      </Button>
    </div>
  );
}
