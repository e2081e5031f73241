/**
 * Checks the import rules with dependency-cruiser, and that it read the modules: a check of 0
 * modules would always pass.
 */
import { execFileSync } from 'node:child_process';

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

const MODULES_MIN = 40;

export interface ImportReport {
  readonly violations: readonly Violation[];
  readonly modules: number;
}

/** Checks `folders` by the import rules of the repository. */
export function checkImports(folders: readonly string[], cwd: string): ImportReport {
  let output: string;
  const bin = new URL(
    '../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    import.meta.url,
  ).pathname;
  const config = new URL('../.dependency-cruiser.json', import.meta.url).pathname;
  const preload = new URL('./preload-swc-tsx.ts', import.meta.url).href;
  try {
    output = execFileSync(
      process.execPath,
      ['--import', preload, bin, ...folders, '--config', config, '--output-type', 'json'],
      {
        cwd,
        maxBuffer: 64 * 1024 * 1024,
      },
    ).toString();
  } catch (error) {
    output = String((error as { stdout?: Buffer }).stdout ?? '');
    if (output === '') throw error;
  }
  const { summary } = JSON.parse(output) as {
    summary: { violations: Violation[]; totalCruised: number };
  };
  return { violations: summary.violations, modules: summary.totalCruised };
}

if (import.meta.main) {
  const { violations, modules } = checkImports(
    ['service/src', 'console/src', 'sdk/src', 'terminal/src', 'extension/src', 'signer/src'],
    process.cwd(),
  );
  for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} -> ${to}`);
  if (modules < MODULES_MIN)
    console.error(`only ${modules} modules were read: the check is ineffective`);
  if (violations.length > 0 || modules < MODULES_MIN) process.exit(1);
  console.log(`imports: ${modules} modules, no violation`);
}
