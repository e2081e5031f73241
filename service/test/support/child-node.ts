/** What every Node.js process is started with that lives for a moment only, as most of the tests' do. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The embedded database compiled simply: half of such a process would be the optimising of its WebAssembly. */
export const CHILD_FLAGS = ['--disable-warning=ExperimentalWarning', '--liftoff-only'];

/** What one of the run has compiled is not compiled by the next. */
export const childCache = (): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
});
