import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import classes from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface AnchorProps extends ComponentProps<'a'> {
  readonly variant?: 'filled' | 'default';
  readonly icon?: IconName;
}

function Anchor({ variant = 'filled', icon, children, ...anchor }: AnchorProps) {
  return (
    <a {...anchor} className={classes.button} data-variant={variant}>
      <span className={classes.label}>
        {icon !== undefined && <Icon name={icon} size={18} />}
        {children}
      </span>
    </a>
  );
}

/** A way to another page that looks like a button. */
export const NavButton = createLink(Anchor);
