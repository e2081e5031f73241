/**
 * The sign-in page: everything comes in one wave, so that it can be used as soon as it is there.
 */
import { startI18n } from './i18n/index.ts';
import { showPage } from './show-page.tsx';
import { AuthorizePage } from './sign-in/authorize-page.tsx';

startI18n();
showPage(<AuthorizePage />);
