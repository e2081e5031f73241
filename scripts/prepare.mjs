/**
 * Runs after `npm ci`: builds the console, the extension, the terminal, the libraries of statements
 * and the template of the embedded database. Without development dependencies nothing can be built; what was built before stays, and what npm
 * installed in vain is removed. Not TypeScript, because such an installation may have been made by a
 * Node.js that cannot run it.
 */
import { execSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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
  const extension = '--outDir ../service/dist/edge-extension --emptyOutDir';
  execSync(`npm run -s build -w extension -- ${extension}`, options);
  execSync('node scripts/build-terminal.ts', options);
  execSync('node scripts/build-pdf-library.ts', options);
  execSync('node --disable-warning=ExperimentalWarning scripts/make-embedded-template.ts', options);
} else {
  // Some 50 MB that nothing loads: optional peers of viem, which npm installs because the
  // development dependencies have them, and its builds for CommonJS and declarations.
  const unused = ['typescript', '@typescript', 'zod'];
  for (const name of ['viem', 'ox']) unused.push(`${name}/_cjs`, `${name}/_types`);
  for (const name of unused)
    rmSync(new URL(`../node_modules/${name}`, import.meta.url), { recursive: true, force: true });
  console.log('edge-account: without development dependencies nothing is built');
}
