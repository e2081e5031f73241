/** The measured duration of each test file, stored in the repository. */
export const durationsFile = new URL('./durations.json', import.meta.url).pathname;
