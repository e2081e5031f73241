/**
 * `npm run dev`: the service, restarted when its code changes, and the console from Vite, updated
 * in the browser. The browser sees one origin: Vite serves the pages and forwards everything else.
 * Ctrl-C ends both.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const ROOT = new URL('../', import.meta.url).pathname;
const PAGES_PORT = process.env.DEV_PORT ?? '5173';
const SERVICE_PORT = process.env.PORT ?? '8080';
const QUIET = '--disable-warning=ExperimentalWarning';

function start(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
}

const programs = [
  start([QUIET, '--watch', '--watch-preserve-output', 'service/src/main.ts', 'serve'], {
    PORT: SERVICE_PORT,
    BASE_URL: `http://localhost:${PAGES_PORT}`,
  }),
  start(['node_modules/vite/bin/vite.js', 'console', '--port', PAGES_PORT, '--strictPort'], {
    DEV_SERVICE: `http://127.0.0.1:${SERVICE_PORT}`,
  }),
];

const stopAll = (): void => {
  for (const program of programs) program.kill('SIGTERM');
};

process.on('SIGINT', stopAll);
process.on('SIGTERM', stopAll);
for (const program of programs)
  program.once('exit', (code) => {
    process.exitCode ??= code ?? 0;
    stopAll();
  });
console.log(`pages with live updates: http://localhost:${PAGES_PORT}/`);
