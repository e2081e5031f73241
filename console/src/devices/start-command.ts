export type CommandLine = 'unix' | 'windows';

/**
 * What to run where nothing is installed but Node.js: the terminal signs in when needed, and stays
 * connected. On Windows two lines, because its command prompt and PowerShell agree on no sign
 * between commands; `curl.exe` is a part of Windows, and PowerShell calls something else `curl`.
 * Elsewhere the sign between them ends the first line.
 */
export function startCommand(commandLine: CommandLine, origin: string): string {
  const file = `${origin}/edge-terminal.mjs`;
  const start = `node edge-terminal.mjs run --service ${origin}`;
  return commandLine === 'unix'
    ? `curl -fsSO ${file} &&\n${start}`
    : `curl.exe -fsSO ${file}\n${start}`;
}
