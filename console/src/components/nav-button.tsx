import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import classes from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface AnchorProps extends ComponentProps<'a'> {
  readonly variant?: 'filled' | 'default';
  readonly icon?: IconName;
}

/** A way to an address that looks like a button. */
export function LinkButton({ variant = 'filled', icon, children, ...anchor }: AnchorProps) {
  return (
    <a {...anchor} className={classes.button} data-variant={variant}>
      <span className={classes.label}>
        {icon !== undefined && <Icon name={icon} size={18} />}
        {children}
      </span>
    </a>
  );
}

/** The same to another page of the console. */
export const NavButton = createLink(LinkButton);
