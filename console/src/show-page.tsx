/** The start of the sign-in page and the console. */
import './theme/font.css';
import './theme/tokens.css';
import './theme/global.css';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { isProblem } from './api/problem.ts';
import { startTheme } from './theme/theme.ts';

/** Logs unexpected errors. Problems are shown on the page that caught them. */
function logUnexpected(error: unknown): void {
  if (!isProblem(error)) console.error(error);
}

/** Shows a page in the design system. */
export function showPage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  startTheme();
  const shown = createRoot(root, { onCaughtError: logUnexpected });
  // In pieces, so that a slow phone answers to touch meanwhile.
  startTransition(() => shown.render(<StrictMode>{page}</StrictMode>));
}
