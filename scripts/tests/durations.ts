/** How long each test file takes, as measured once and kept in the repository. */
export const durationsFile = new URL('./durations.json', import.meta.url).pathname;
