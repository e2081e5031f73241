/** The file as a whole cannot be read. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}
