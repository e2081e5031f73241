/** What the sign-in page and the console begin with. */
import './theme/mantine-styles.ts';
import './theme/global.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AppTheme } from './theme/app-theme.tsx';
import { provideNonce } from './theme/nonce.ts';

/** Shows a page in the design system. */
export function showPage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  provideNonce();
  createRoot(root).render(
    <StrictMode>
      <AppTheme>{page}</AppTheme>
    </StrictMode>,
  );
}
