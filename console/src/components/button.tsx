/** What one presses. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import classes from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: 'filled' | 'default' | 'subtle';
  readonly size?: 'xs' | 'sm' | 'md' | 'lg';
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly isWide?: boolean;
  /** Its action runs: it keeps its size and takes no second press. */
  readonly isBusy?: boolean;
}

function refuse(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * One that cannot be pressed now keeps the focus and its name: disabled for the browser, it would
 * lose both under the reader.
 */
export function Button({
  variant = 'filled',
  size = 'md',
  icon,
  isDanger = false,
  isWide = false,
  isBusy = false,
  disabled = false,
  ...button
}: ButtonProps) {
  const isIdle = !disabled && !isBusy;
  return (
    <button
      type="button"
      {...button}
      className={isWide ? `${classes.button} ${classes.wide}` : classes.button}
      data-variant={variant}
      data-size={size}
      data-danger={isDanger || undefined}
      aria-busy={isBusy || undefined}
      aria-disabled={!isIdle || undefined}
      onClick={isIdle ? button.onClick : refuse}
    >
      <span className={classes.label}>
        {icon !== undefined && <Icon name={icon} size={18} />}
        {button.children}
      </span>
      {isBusy && (
        <span className={classes.dots} aria-hidden="true">
          <span />
          <span />
          <span />
        </span>
      )}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  /** What it does, for who does not see the icon. */
  readonly label: string;
}

export function IconButton({ icon, label, className, ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={className === undefined ? classes.icon : `${classes.icon} ${className}`}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
}

/** An action within text. */
export function LinkButton({
  onClick,
  children,
}: {
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" className={classes.link} onClick={onClick}>
      {children}
    </button>
  );
}
