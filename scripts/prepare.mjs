/**
 * Runs after `npm ci`: builds the console, the terminal and the template of the embedded database.
 * Without development dependencies nothing can be built; what was built before stays. Not
 * TypeScript, because such an installation may have been made by a Node.js that cannot run it.
 */
import { execSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const canResolve = (name) => {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
};

if (canResolve('rolldown') && canResolve('typescript')) {
  const options = { stdio: 'inherit' };
  execSync('npm run -s build -w console', options);
  execSync('node scripts/build-terminal.ts', options);
  execSync('node --disable-warning=ExperimentalWarning scripts/make-embedded-template.ts', options);
} else {
  console.log('edge-account: without development dependencies nothing is built');
}
