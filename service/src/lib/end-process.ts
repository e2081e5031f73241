/** What is still open after this time is left behind. Threads that compile are done by then. */
const WAIT_MS = 200;

/**
 * Ends the process as soon as nothing is open in it. `process.exit()` at once can wait for ever: it
 * joins the threads in which V8 compiles, and these may wait for a garbage collection of the main
 * thread (nodejs/node#54918). An end by itself has no such wait.
 * @param exitCode undefined: that of `process.exitCode`
 */
export function endProcess(exitCode = process.exitCode): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), WAIT_MS).unref();
}
