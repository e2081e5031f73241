import { createLink, useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { pathBefore } from '../hooks/previous-path.ts';
import { Icon } from './icon.tsx';
import classes from './layout.module.css';

function Anchor({ children, ...anchor }: ComponentProps<'a'>) {
  return (
    <a {...anchor} className={classes.back}>
      <Icon name="chevron" size={16} />
      {children}
    </a>
  );
}

const Up = createLink(Anchor);

interface Props {
  readonly to: '/wallets' | '/devices' | '/security';
  readonly children: ReactNode;
}

/** Above a page's title: the page that it belongs to. Who came from there finds it as it was left, its filters and its place. */
export function BackLink({ to, children }: Props) {
  const { history } = useRouter();
  const goBack = (event: MouseEvent): void => {
    const isForThisTab =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isForThisTab || pathBefore(history) !== to) return;
    event.preventDefault();
    history.back();
  };
  return (
    <Up to={to} onClick={goBack}>
      {children}
    </Up>
  );
}
