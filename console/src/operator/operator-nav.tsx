/** The navigation of operators: a column beside the page, a row above it on a phone. */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Icon, type IconName } from '../components/icon.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './operator-nav.module.css';

export const VIEW_ICONS = {
  overview: 'gauge',
  users: 'people',
  devices: 'device',
  money: 'wallet',
  transfers: 'swap',
  payouts: 'arrowUp',
  settlements: 'gift',
  prices: 'traffic',
  chains: 'link',
  ledger: 'book',
  rules: 'rules',
  applications: 'key',
  webhooks: 'share',
  brand: 'palette',
  audit: 'history',
} as const satisfies Record<string, IconName>;

export type View = keyof typeof VIEW_ICONS;

interface Props {
  readonly views: readonly View[];
  readonly current: View;
}

/** Scrolls the navigation, and not the page, until the link is in its middle. */
function centre(nav: HTMLElement, view: View): void {
  const link = nav.querySelector(`[data-view="${view}"]`)?.getBoundingClientRect();
  if (!link) return;
  const frame = nav.getBoundingClientRect();
  nav.scrollBy({
    left: link.left + link.width / 2 - (frame.left + frame.width / 2),
    top: link.top + link.height / 2 - (frame.top + frame.height / 2),
  });
}

export function OperatorNav({ views, current }: Props) {
  const { t } = useTranslation('operator');
  const nav = useRef<HTMLElement>(null);
  // On a phone the row scrolls: where one is stays in sight, also when a font changes its width.
  useEffect(() => {
    let isLeft = false;
    const show = (): void => {
      if (nav.current && !isLeft) centre(nav.current, current);
    };
    show();
    void document.fonts.ready.then(show);
    return () => {
      isLeft = true;
    };
  }, [current]);
  return (
    <nav ref={nav} className={classes.nav} aria-label={t('title')}>
      {views.map((view) => (
        <Link
          key={view}
          to="/operator"
          search={{ view }}
          className={classes.link}
          data-view={view}
          aria-current={view === current ? 'page' : undefined}
        >
          <Icon name={VIEW_ICONS[view]} size={18} />
          <span>{t(`view.${view}`)}</span>
        </Link>
      ))}
    </nav>
  );
}
