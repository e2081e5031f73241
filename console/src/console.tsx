/** The account console: signs in while the texts and the page are still loading. */
import { ConsoleApp, prepareConsole } from './app/console-app.tsx';
import { startI18n } from './i18n/index.ts';
import { showPage } from './show-page.tsx';

startI18n();
prepareConsole();
showPage(<ConsoleApp />);
