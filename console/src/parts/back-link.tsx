import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
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

/** Above a page's title: the page that it belongs to. */
export const BackLink = createLink(Anchor);
