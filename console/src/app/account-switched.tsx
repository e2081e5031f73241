import { Button } from '../components/button.tsx';
import { Heading } from '../components/heading.tsx';
import { useTranslation } from '../i18n/index.ts';
import { changeAccount } from '../session/session.ts';
import classes from './console-app.module.css';
import { router } from './router.tsx';

/** Replaces a user's pages after another user signed in in this browser. */
export function AnotherAccount({ email }: { readonly email: string }) {
  const { t } = useTranslation('shell');
  // What stands in the address was the first person's, too.
  const change = (): void => {
    void router.navigate({ to: '/', replace: true });
    void changeAccount();
  };
  return (
    <main className={classes.stopped}>
      <Heading>{t('replaced.title')}</Heading>
      <p role="alert">{t('replaced.lead', { email })}</p>
      {/* Loaded anew: nothing of the first person stays in memory, either. */}
      <Button onClick={() => location.replace('/')}>{t('replaced.goOn')}</Button>
      <Button variant="default" onClick={change}>
        {t('replaced.other')}
      </Button>
    </main>
  );
}
