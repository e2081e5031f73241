/** What the sign-in page and the console begin with. */
import './theme/tokens.css';
import './theme/global.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTheme } from './theme/theme.ts';

/** Shows a page in the design system. */
export function showPage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  startTheme();
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
