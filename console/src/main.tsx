/** Where the browser begins: the sign-in page and the console are loaded apart, so that each stays small. */
import './theme/mantine-styles.ts';
import './theme/global.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from './i18n/index.ts';
import { AppTheme } from './theme/app-theme.tsx';
import { provideNonce } from './theme/nonce.ts';

async function loadPage(): Promise<ReactNode> {
  if (location.pathname === '/authorize') {
    const [{ AuthorizePage }] = await Promise.all([import('./sign-in/authorize-page.tsx'), startI18n()]);
    return <AuthorizePage />;
  }
  const [{ ConsoleApp, prepareConsole }] = await Promise.all([import('./app/console-app.tsx'), startI18n()]);
  await prepareConsole();
  return <ConsoleApp />;
}

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  provideNonce();
  const page = await loadPage();
  createRoot(root).render(
    <StrictMode>
      <AppTheme>{page}</AppTheme>
    </StrictMode>,
  );
}

void start();
