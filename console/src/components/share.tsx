import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

/**
 * Hands something to the system's own list of ways to send it; nothing where the browser has none.
 */
export function ShareButton({
  data,
  label,
  ...look
}: { readonly data: ShareData; readonly label: string } & Pick<
  ComponentProps<typeof Button>,
  'variant'
>) {
  if (!('share' in navigator)) return null;
  return (
    <Button
      icon="share"
      {...look}
      // A person who closes the system's own sheet has decided; there is nothing to report.
      onClick={() => void navigator.share(data).catch(() => undefined)}
    >
      {label}
    </Button>
  );
}
