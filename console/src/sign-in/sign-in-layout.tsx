import type { ReactNode } from 'react';
import { BrandSign } from '../components/brand.tsx';
import { LanguageSelect, ThemeToggle } from '../components/preferences.tsx';
import { useTranslation } from '../i18n/index.ts';
import { signInTextOf, useBrand } from '../theme/brand.ts';
import classes from './sign-in.module.css';

/** What the network says to people who sign in, and where they find help. */
function SignInFooter() {
  const { t, language } = useTranslation('signIn');
  const brand = useBrand();
  const text = signInTextOf(brand, language);
  if (text === undefined && brand.support_url === undefined) return null;
  return (
    <footer className={classes.bottom}>
      {text !== undefined && <p>{text}</p>}
      {brand.support_url !== undefined && (
        <a href={brand.support_url} rel="noreferrer">
          {t('help')}
        </a>
      )}
    </footer>
  );
}

/** The frame around every step of the sign-in. */
export function SignInLayout({ children }: { readonly children: ReactNode }) {
  const brand = useBrand();
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <span className={classes.brand}>
          <BrandSign {...brand} />
          <span className={classes.name}>{brand.name}</span>
        </span>
        <div className={classes.tools}>
          <LanguageSelect />
          <ThemeToggle />
        </div>
      </header>
      <main className={classes.main}>
        <div className={classes.card}>{children}</div>
      </main>
      <SignInFooter />
    </div>
  );
}
