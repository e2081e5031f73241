/**
 * Options of short-lived Node.js processes, like most of the tests'.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Disables the optimisation of the embedded database's WebAssembly, which would take half of the
 * time of such a process.
 */
export const CHILD_FLAGS = ['--disable-warning=ExperimentalWarning', '--liftoff-only'];

/** Shares compiled code between the processes of a run. */
export const childCache = (): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
});
