import { createBrowserHint } from '../lib/browser-hint.ts';

/** Whether the list of first steps was hidden in this browser before all of them were done. */
const hint = createBrowserHint('edge-first-steps-hidden');

export const wereFirstStepsHidden = (): boolean => hint.isKept();
export const hideFirstSteps = (): void => hint.keep(true);
