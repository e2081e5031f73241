/** What the package offers to programs: a command of the terminal, in the caller's process. */

/** A command of `edge-terminal`. */
export type TerminalCommand = 'login' | 'run' | 'status' | 'simulate';

interface Command {
  run(args: string[]): Promise<void>;
}

// Loaded when they run: `edge-terminal --help` works with an older Node.js too.
const COMMANDS: Readonly<Record<TerminalCommand, () => Promise<Command>>> = {
  login: () => import('./commands/login.ts'),
  run: () => import('./commands/run.ts'),
  status: () => import('./commands/status.ts'),
  simulate: () => import('./commands/simulate.ts'),
};

/**
 * Runs a command as `edge-terminal COMMAND` does: it prints, and sets `process.exitCode`.
 * @param args options, for example `['--service', 'https://account.example.com']`
 */
export async function runTerminal(
  command: TerminalCommand,
  args: readonly string[] = [],
): Promise<void> {
  const { run } = await COMMANDS[command]();
  await run([...args]);
}
