import { createLink } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
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

/**
 * The path of the history entry before this one. Browsers without the Navigation API do not tell.
 */
function findPreviousPath(): string | undefined {
  const entries = window.navigation?.entries() ?? [];
  const url = entries[(window.navigation?.currentEntry?.index ?? 0) - 1]?.url;
  return url ? new URL(url).pathname : undefined;
}

/** The link to the parent page. It goes back where possible: filters and scroll are kept. */
export function BackLink({ to, children }: Props) {
  const goBack = (event: MouseEvent): void => {
    const isForThisTab =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isForThisTab || findPreviousPath() !== to) return;
    event.preventDefault();
    history.back();
  };
  return (
    <Up to={to} onClick={goBack}>
      {children}
    </Up>
  );
}
