import type { ReactNode } from 'react';
import { BrandMark } from '../components/brand.tsx';
import { LanguageSelect, ThemeToggle } from '../components/preferences.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './sign-in.module.css';

/** The frame around every step of the sign-in. */
export function SignInLayout({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('common');
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <span className={classes.brand}>
          <BrandMark />
          <span className={classes.name}>{t('product')}</span>
        </span>
        <div className={classes.tools}>
          <LanguageSelect />
          <ThemeToggle />
        </div>
      </header>
      <main className={classes.main}>
        <div className={classes.card}>{children}</div>
      </main>
    </div>
  );
}
