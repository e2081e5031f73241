/** Global set-up of the browser tests: one unpacked browser for all workers. */
export { prepareBrowser as default } from './browser.ts';
