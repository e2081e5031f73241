/** The start of the sign-in page and the console. */
import './theme/font.css';
import './theme/tokens.css';
import './theme/global.css';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTheme } from './theme/theme.ts';

/** Shows a page in the design system. */
export function showPage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  startTheme();
  createRoot(root).render(page);
}
