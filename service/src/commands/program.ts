/** How the command line is called, for its help and advice. */

/** The sources run in the repository; the package contains JavaScript. */
export const isRepository = import.meta.url.endsWith('.ts');

export const PROGRAM = isRepository ? 'npm run edge-account --' : 'npx edge-account';
