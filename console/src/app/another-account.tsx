import { useTranslation } from '../i18n/index.ts';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { changeAccount } from '../session/session.ts';
import classes from './console-app.module.css';

/** In the place of one person's pages, when somebody else is signed in in this browser by now. */
export function AnotherAccount({ email }: { readonly email: string }) {
  const { t } = useTranslation('shell');
  return (
    <main className={classes.stopped}>
      <Heading>{t('replaced.title')}</Heading>
      <p role="alert">{t('replaced.lead', { email })}</p>
      {/* Loaded anew: nothing of the first person stays, neither in memory nor in the address. */}
      <Button onClick={() => location.replace('/')}>{t('replaced.goOn')}</Button>
      <Button variant="default" onClick={() => void changeAccount()}>
        {t('replaced.other')}
      </Button>
    </main>
  );
}
