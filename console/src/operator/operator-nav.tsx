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

export function OperatorNav({ views, current }: Props) {
  const { t } = useTranslation('operator');
  const nav = useRef<HTMLElement>(null);
  // On a phone the row scrolls: where one is stays in sight.
  useEffect(() => {
    nav.current
      ?.querySelector(`[data-view="${current}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
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
