/** The frame of the console: a bar at the thumb on phones, a rail at the side on wide screens. */
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { BrandSign } from '../components/brand.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Toaster } from '../components/toaster.tsx';
import unseen from '../components/visually-hidden.module.css';
import type { LiveState } from '../events/live-events.ts';
import { onLiveChange, readLiveState } from '../events/live-queries.ts';
import { keepFocus } from '../hooks/restore-focus.ts';
import { useTranslation } from '../i18n/index.ts';
import { Bell } from '../notifications/bell.tsx';
import { usePush } from '../notifications/use-push.ts';
import { useMayOperate } from '../session/use-may-operate.ts';
import { useBrand } from '../theme/brand.ts';
import { AccountMenu } from './account-menu.tsx';
import classes from './shell.module.css';

/** Where the navigation leads, and what belongs there. */
const PLACES = [
  { to: '/', icon: 'home', label: 'nav.home', pages: /^\/$/ },
  { to: '/wallets', icon: 'wallet', label: 'nav.wallets', pages: /^\/(wallets|deposits)\b/ },
  { to: '/devices', icon: 'device', label: 'nav.devices', pages: /^\/devices?\b/ },
  { to: '/people', icon: 'people', label: 'nav.people', pages: /^\/people\b/ },
  { to: '/security', icon: 'shield', label: 'nav.security', pages: /^\/security\b/ },
  { to: '/operator', icon: 'operator', label: 'nav.operator', pages: /^\/operator\b/ },
] as const satisfies readonly { to: string; icon: IconName; label: string; pages: RegExp }[];

function Navigation({ mayOperate }: { readonly mayOperate: boolean }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  return (
    <nav className={classes.nav} aria-label={t('nav.label')}>
      {PLACES.filter(({ to }) => to !== '/operator' || mayOperate).map(
        ({ to, icon, label, pages }) => (
          <Link
            key={to}
            to={to}
            className={classes.place}
            data-active={pages.test(pathname) || undefined}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <Icon name={icon} size={22} />
            <span>{t(label)}</span>
          </Link>
        ),
      )}
    </nav>
  );
}

/** Shows when the figures are not live; to a screen reader, also when they are. */
function LiveSign({ state }: { readonly state: LiveState }) {
  const { t } = useTranslation('shell');
  return (
    <span className={classes.live} data-state={state} role="status">
      <span className={classes.dot} />
      <span className={state === 'lost' ? undefined : unseen.unseen}>{t(`live.${state}`)}</span>
    </span>
  );
}

export function Shell() {
  const { t } = useTranslation('shell');
  const state = useSyncExternalStore(onLiveChange, readLiveState);
  const brand = useBrand();
  const mayOperate = useMayOperate();
  const { pathname } = useLocation();
  // Operators have their own navigation, and need the whole width.
  const isOperating = mayOperate && /^\/operator\b/.test(pathname);
  usePush();
  useEffect(keepFocus, []);
  return (
    <div className={classes.shell} data-operating={isOperating || undefined}>
      <a href="#content" className="skip-link">
        {t('skip')}
      </a>
      <header className={classes.top}>
        <Link to="/" className={classes.brand} aria-label={brand.name}>
          <BrandSign {...brand} />
          <span>{brand.name}</span>
        </Link>
        {isOperating && (
          <Link to="/" className={classes.up}>
            <Icon name="chevron" size={16} />
            {t('operator:toAccount')}
          </Link>
        )}
        <LiveSign state={state} />
        <Bell />
        <AccountMenu />
      </header>
      {!isOperating && <Navigation mayOperate={mayOperate} />}
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Toaster />
    </div>
  );
}
