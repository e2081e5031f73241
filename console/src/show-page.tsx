/** What the sign-in page and the console begin with. */
import './theme/tokens.css';
import './theme/global.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isProblem } from './api/problem.ts';
import { startTheme } from './theme/theme.ts';

/** What a page has caught is said there; only what nobody foresaw goes to the browser's console as well. */
function tell(error: unknown): void {
  if (!isProblem(error)) console.error(error);
}

/** Shows a page in the design system. */
export function showPage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  startTheme();
  createRoot(root, { onCaughtError: tell }).render(<StrictMode>{page}</StrictMode>);
}
